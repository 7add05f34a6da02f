import { STREAK_MISSION } from '@anniversary/shared/contract/missions'
import { batchOf, columns, type Queryable, rowsOf } from '../database/database.ts'
import { reachedMissions } from '../missions/rules.ts'
import { openStage } from '../missions/stages.ts'
import { hasStreak } from '../missions/streak.ts'
import { type ActivityRow, addTotals, readTotals, type StageTotals } from './ledger.ts'

const markReached = rowsOf<never, unknown[]>(
  'mission-mark-reached',
  `INSERT INTO member_mission AS mm (member_id, stage, mission, tickets, reached_by, reached_at)
   SELECT g.member_id, g.stage, m.code, m.tickets, 'activity', $4::timestamptz
   FROM unnest($1::bigint[], $2::smallint[], $3::text[]) AS g (member_id, stage, mission)
   JOIN mission m ON m.code = g.mission
   -- Rows that would not change are not locked, so that claims of them go on.
   WHERE NOT EXISTS (
     SELECT FROM member_mission x
     WHERE (x.member_id, x.stage, x.mission) = (g.member_id, g.stage, m.code)
       AND x.reached_at IS NOT NULL AND NOT x.needs_review)
   ORDER BY g.member_id, g.stage, m.code
   ON CONFLICT (member_id, stage, mission) DO UPDATE
     SET reached_at = coalesce(mm.reached_at, excluded.reached_at), needs_review = false
     WHERE mm.reached_at IS NULL OR mm.needs_review`,
)

const takeBack = rowsOf<never, unknown[]>(
  'mission-take-back',
  `UPDATE member_mission mm
   SET reached_at = CASE WHEN mm.claimed_at IS NULL THEN NULL ELSE mm.reached_at END,
       needs_review = mm.claimed_at IS NOT NULL
   WHERE mm.member_id = ANY($1::bigint[]) AND mm.reached_by = 'activity'
     AND mm.reached_at IS NOT NULL AND NOT mm.needs_review
     AND NOT EXISTS (
       SELECT FROM unnest($2::bigint[], $3::smallint[], $4::text[]) AS g (member_id, stage, mission)
       WHERE (g.member_id, g.stage, g.mission) = (mm.member_id, mm.stage, mm.mission))`,
)

const columnsOf = (totals: readonly StageTotals[]) =>
  columns(
    totals.flatMap((total) => reachedMissions(total).map((mission) => ({ ...total, mission }))),
    'memberId',
    'stage',
    'mission',
  )

/**
 * Sets which missions these members have reached by the kept sums. A mission that is no longer reached is taken back; one
 * that was claimed keeps its tickets and is marked for the operator's review.
 */
export async function setReached(tx: Queryable, memberIds: readonly string[], at: Date): Promise<void> {
  const reached = columnsOf(await readTotals(tx, memberIds))
  await markReached(tx, ...reached, at)
  await takeBack(tx, memberIds, ...reached)
}

interface ClaimedStreak {
  readonly memberId: string
  readonly stage: number
  readonly needsReview: boolean
  /** Days with a deposit inside the claimed range, by the ledger's present state. */
  readonly days: readonly string[]
}

/** Claimed streaks that may have changed: those in review, and all of `reversed`, whose deposits were taken back. */
const readClaimedStreaks = rowsOf<ClaimedStreak, [memberIds: readonly string[], reversed: readonly string[]]>(
  'mission-claimed-streaks',
  `SELECT mm.member_id AS "memberId", mm.stage, mm.needs_review AS "needsReview",
     (SELECT coalesce(array_agg(DISTINCT a.day::text), '{}') FROM counted_activity a
      WHERE a.member_id = mm.member_id AND a.kind = 'deposit'
        AND a.day BETWEEN (mm.proof ->> 'start')::date AND (mm.proof ->> 'end')::date) AS days
   FROM member_mission mm
   WHERE mm.member_id = ANY($1::bigint[]) AND mm.mission = '${STREAK_MISSION}' AND mm.reached_by = 'proof' AND mm.claimed_at IS NOT NULL
     AND (mm.needs_review OR mm.member_id = ANY($2::bigint[]))`,
)

const markStreaks = batchOf<never, Omit<ClaimedStreak, 'days'>>(
  'mission-mark-review',
  `UPDATE member_mission mm SET needs_review = g.needs_review
   FROM unnest($1::bigint[], $2::smallint[], $3::bool[]) AS g (member_id, stage, needs_review)
   WHERE mm.member_id = g.member_id AND mm.stage = g.stage AND mm.mission = '${STREAK_MISSION}'`,
  ['memberId', 'stage', 'needsReview'],
)

/** A deposit or bet that begins to count, or with -1 one that no longer does. */
export type Counted = Pick<ActivityRow, 'memberId' | 'kind' | 'amount' | 'occurredAt'> & {
  readonly sign: 1 | -1
}

/** What rows change in the sums of their members and stages; rows outside the stages change nothing. */
function sumsOf(rows: readonly Counted[]): StageTotals[] {
  const totals = new Map<string, StageTotals>()
  for (const { memberId, kind, amount, occurredAt, sign } of rows) {
    const stage = openStage(occurredAt)?.number
    if (stage === undefined) continue
    const key = `${memberId} ${stage}`
    const before = totals.get(key) ?? { memberId, stage, depositCents: 0, betCents: 0, deposits: 0 }
    const cents = sign * Math.round(amount * 100)
    const after = {
      deposit: { depositCents: before.depositCents + cents, deposits: before.deposits + sign },
      bet: { betCents: before.betCents + cents },
      reversal: {},
    }
    totals.set(key, { ...before, ...after[kind] })
  }
  return [...totals.values()]
}

/**
 * Derives missions from changes of the ledger. The caller has locked the members.
 * @param reversed members of whom reversals came or went
 */
export async function deriveMissions(
  tx: Queryable,
  rows: readonly Counted[],
  reversed: readonly string[],
  at: Date,
): Promise<void> {
  const totals = await addTotals(tx, sumsOf(rows))
  await markReached(tx, ...columnsOf(totals), at)
  if (reversed.length > 0) await setReached(tx, reversed, at)
  await reviewStreaks(tx, [...new Set([...rows.map((row) => row.memberId), ...reversed])], reversed)
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
