import { readTotals, recountActivity, type StageTotals } from '../backoffice/ledger.ts'
import { parseTicketCode } from '../claim/ticket-code.ts'
import { pagesOf, type Queryable, rowsOf } from '../database/database.ts'
import { isLedgerMission, isMissionCode, reachedMissions } from '../missions/rules.ts'

const EXAMPLES = 5

export interface Violations {
  /** How many. */
  broken: number
  readonly examples: string[]
}

function note(violations: Violations, example: string) {
  violations.broken++
  if (violations.examples.length < EXAMPLES) violations.examples.push(example)
}

/** Reads the check symbol of every code. */
export async function verifyCodes(tx: Queryable): Promise<Violations> {
  const violations: Violations = { broken: 0, examples: [] }
  for await (const rows of pagesOf<{ code: string }>(tx, 'verify-codes', 'SELECT code FROM ticket'))
    for (const { code } of rows) if (parseTicketCode(code) !== code) note(violations, code)
  return violations
}

interface MissionRow {
  readonly memberId: string
  readonly stage: number
  readonly mission: string
  readonly reached: boolean
  readonly reachedBy: string
  readonly claimed: boolean
  readonly needsReview: boolean
}

const missionsOf = rowsOf<MissionRow, [memberIds: string[]]>(
  'verify-missions',
  `SELECT member_id AS "memberId", stage, mission, reached_at IS NOT NULL AS reached, reached_by AS "reachedBy",
     claimed_at IS NOT NULL AS claimed, needs_review AS "needsReview"
   FROM member_mission WHERE member_id = ANY($1::bigint[])`,
)

/** Members whose kept sums differ from the recount. A row of zeros equals no row. */
function differing(recounted: readonly StageTotals[], kept: readonly StageTotals[]): Set<string> {
  const text = (t: StageTotals) => `${t.memberId} ${t.stage} ${t.depositCents} ${t.betCents} ${t.deposits}`
  const isSomething = (t: StageTotals) => t.depositCents > 0 || t.betCents > 0 || t.deposits > 0
  const wanted = new Set(recounted.filter(isSomething).map(text))
  const present = new Set(kept.filter(isSomething).map(text))
  const wrong = [...wanted].filter((t) => !present.has(t)).concat([...present].filter((t) => !wanted.has(t)))
  return new Set(wrong.map((t) => t.split(' ')[0] ?? ''))
}

/**
 * Recounts the whole ledger and compares: a mission that the ledger reaches is marked reached, any other is not. A mission
 * that was claimed before a reversal is marked for review.
 */
export async function verifyLedger(tx: Queryable): Promise<Violations> {
  const violations: Violations = { broken: 0, examples: [] }
  const pages = pagesOf<{ id: string; account: string }>(
    tx,
    'verify-members',
    'SELECT id, account FROM member',
  )
  for await (const members of pages) {
    const ids = members.map((member) => member.id)
    const accounts = new Map(members.map((member) => [member.id, member.account]))
    const totals = await recountActivity(tx, ids)
    for (const memberId of differing(totals, await readTotals(tx, ids))) {
      note(violations, `${accounts.get(memberId)}: the kept sums`)
    }
    const carried = new Set(
      totals.flatMap((total) =>
        reachedMissions(total).map((mission) => `${total.memberId} ${total.stage} ${mission}`),
      ),
    )
    for (const row of await missionsOf(tx, ids)) {
      const key = `${row.memberId} ${row.stage} ${row.mission}`
      const isCarried = carried.delete(key)
      if (!isMissionCode(row.mission) || !isLedgerMission(row.mission) || row.reachedBy !== 'activity')
        continue
      const isRight = isCarried
        ? row.reached && !row.needsReview
        : row.claimed
          ? row.needsReview
          : !row.reached
      if (!isRight) note(violations, `${accounts.get(row.memberId)}, stage ${row.stage}, ${row.mission}`)
    }
    for (const key of carried) {
      const [memberId = '', stage, mission] = key.split(' ')
      note(violations, `${accounts.get(memberId)}, stage ${stage}, ${mission}: reached, but not noted`)
    }
  }
  return violations
}
