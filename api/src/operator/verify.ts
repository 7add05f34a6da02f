import { STAGES, TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { stageEnd, stageStart } from '../missions/stages.ts'
import { type Violations, verifyCodes, verifyLedger } from './verify-recounts.ts'

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

/** Counts what a query selects, with the first examples. */
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
