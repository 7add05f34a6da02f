import type { Queryable } from '../database/database.ts'
import { reachedMissions } from '../missions/rules.ts'
import { openStage } from '../missions/stages.ts'
import { hasStreak } from '../missions/streak.ts'
import { type ActivityRow, addTotals, recountActivity, type StageTotals, setTotals } from './ledger.ts'
import { addReached, markStreaks, type Reached, readClaimedStreaks, setReached } from './mission-states.ts'

export const reachedBy = (totals: readonly StageTotals[]): Reached[] =>
  totals.flatMap((total) =>
    reachedMissions(total).map((mission) => ({ memberId: total.memberId, stage: total.stage, mission })),
  )

/** What rows add to the sums of their members and stages; rows outside the stages add nothing. */
function sumsOf(rows: readonly ActivityRow[]): StageTotals[] {
  const totals = new Map<string, StageTotals>()
  for (const { memberId, kind, amount, occurredAt } of rows) {
    const stage = openStage(occurredAt)?.number
    if (stage === undefined || kind === 'reversal') continue
    const key = `${memberId} ${stage}`
    const before = totals.get(key) ?? { memberId, stage, depositCents: 0, betCents: 0, deposits: 0 }
    const cents = Math.round(amount * 100)
    const after =
      kind === 'deposit'
        ? { depositCents: before.depositCents + cents, deposits: before.deposits + 1 }
        : { betCents: before.betCents + cents }
    totals.set(key, { ...before, ...after })
  }
  return [...totals.values()]
}

/**
 * Derives missions from rows that were just added to the ledger: members of a reversal are recounted, the others' sums
 * grow. The caller has locked the members, and leaves out rows whose reversal came before them.
 */
export async function deriveMissions(tx: Queryable, rows: readonly ActivityRow[], at: Date): Promise<void> {
  const reversed = new Set(rows.filter((row) => row.kind === 'reversal').map((row) => row.memberId))
  const sums = sumsOf(rows.filter((row) => !reversed.has(row.memberId)))
  if (sums.length > 0) await addReached(tx, reachedBy(await addTotals(tx, sums)), at)
  if (reversed.size > 0) {
    const ids = [...reversed]
    const totals = await recountActivity(tx, ids)
    await setTotals(tx, ids, totals)
    await setReached(tx, ids, reachedBy(totals), at)
  }
  await reviewStreaks(tx, [...new Set(rows.map((row) => row.memberId))], [...reversed])
}

/** Marks claimed streaks for review when a reversal broke them, and clears the mark when the days are complete again. */
async function reviewStreaks(
  tx: Queryable,
  memberIds: readonly string[],
  reversed: readonly string[],
): Promise<void> {
  const changed = (await readClaimedStreaks(tx, memberIds, reversed))
    .map((streak) => ({ ...streak, isMet: hasStreak(streak.days) }))
    .filter((streak) => streak.isMet === streak.needsReview)
    .map(({ memberId, stage, isMet }) => ({ memberId, stage, needsReview: !isMet }))
  if (changed.length > 0) await markStreaks(tx, changed)
}
