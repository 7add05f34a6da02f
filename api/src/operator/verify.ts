import { STAGES, TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { readTotals, recountActivity, type StageTotals } from '../backoffice/ledger.ts'
import { parseTicketCode } from '../claim/ticket-code.ts'
import { type Database, pagesOf, type Queryable, rowsOf, statement } from '../database/database.ts'
import { isLedgerMission, isMissionCode, reachedMissions } from '../missions/rules.ts'
import { stageEnd, stageStart } from '../missions/stages.ts'

export interface Finding extends Violations {
  readonly invariant: string
}

/** What must hold, and its check: SQL that selects a text for each violation, or a function. */
type Invariant = readonly [
  name: string,
  check: string | ((tx: Queryable) => Promise<Violations>),
  values?: readonly unknown[],
]

const owner = (id: string) => `(SELECT o.account FROM member o WHERE o.id = ${id})`

/** What no key of the database says by itself, in the order of the checks. */
const invariants: readonly Invariant[] = [
  ['every ticket code carries its check symbol', verifyCodes],
  [
    `no member has more than ${TICKETS_PER_STAGE} tickets in a stage`,
    `SELECT ${owner('t.member_id')} || ', stage ' || t.stage FROM ticket t GROUP BY t.member_id, t.stage
     HAVING count(*) > ${TICKETS_PER_STAGE} OR min(t.slot) <> 1 OR max(t.slot) <> count(*)`,
  ],
  [
    "every stage's counter is its number of tickets",
    `SELECT ${owner('member_id')} || ', stage ' || stage
     FROM (SELECT member_id, stage, count(*) AS n FROM ticket GROUP BY member_id, stage) t
     FULL JOIN stage_tickets s USING (member_id, stage) WHERE coalesce(t.n, 0) <> coalesce(s.tickets, 0)`,
  ],
  [
    'every ticket has its completed mission, and every claimed mission its tickets',
    `SELECT ${owner('member_id')} || ', stage ' || stage || ', ' || mission
     FROM (SELECT member_id, stage, mission, count(*) AS n, min(claimed_at) AS first, max(claimed_at) AS last
           FROM ticket GROUP BY member_id, stage, mission) t
     FULL JOIN member_mission mm USING (member_id, stage, mission)
     WHERE CASE WHEN mm.claimed_at IS NULL THEN t.n IS NOT NULL
       ELSE mm.reached_at IS NULL OR t.n IS DISTINCT FROM mm.tickets
         OR t.first <> mm.claimed_at OR t.last <> mm.claimed_at END`,
  ],
  [
    'every ticket was given while its stage was open',
    `SELECT t.code FROM ticket t
     JOIN unnest($1::smallint[], $2::timestamptz[], $3::timestamptz[]) AS s (stage, opens, closes) USING (stage)
     WHERE t.claimed_at < s.opens OR t.claimed_at >= s.closes`,
    [
      STAGES.map((s) => s.number),
      STAGES.map((s) => new Date(stageStart(s)).toISOString()),
      STAGES.map((s) => new Date(stageEnd(s)).toISOString()),
    ],
  ],
  [
    'every exchange has its winning ticket with a gift code, of the same member',
    `SELECT g.ticket_code FROM giftcode_trade g
     LEFT JOIN draw_result d ON d.ticket_code = g.ticket_code LEFT JOIN ticket t ON t.code = g.ticket_code
     WHERE d.giftcode IS NULL OR t.member_id IS DISTINCT FROM g.member_id`,
  ],
  ['every mission stands where a recount of the ledger puts it', verifyLedger],
]

async function countViolations(tx: Queryable, i: number, text: string, values: readonly unknown[] = []) {
  const counting = statement(
    `verify-${i}`,
    `SELECT count(*)::int AS broken, coalesce((array_agg(v.example))[1:5], '{}') AS examples FROM (${text}) v (example)`,
  )
  const [row] = await tx.query<Violations>(counting, values)
  return row ?? { broken: 0, examples: [] }
}

/** Recounts every invariant and reports each; stops at the first broken one. @returns true when all hold */
export const verify = (database: Database, tell: (finding: Finding) => void): Promise<boolean> =>
  database.transaction(async (tx) => {
    for (const [i, [invariant, check, values]] of invariants.entries()) {
      const found = await (typeof check === 'string' ? countViolations(tx, i, check, values) : check(tx))
      tell({ invariant, ...found })
      if (found.broken > 0) return false
    }
    return true
  })

const EXAMPLES = 5

export interface Violations {
  broken: number
  readonly examples: string[]
}

function note(violations: Violations, example: string) {
  violations.broken++
  if (violations.examples.length < EXAMPLES) violations.examples.push(example)
}

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
