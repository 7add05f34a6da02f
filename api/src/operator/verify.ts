import { STAGES, TICKETS_IN_ALL, TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { type Database, type Queryable, statement } from '../database/database.ts'
import { stageEnd, stageStart } from '../rules/stages.ts'
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

/** Every invariant of tickets, in the order of the checks. */
const invariants: readonly Invariant[] = [
  ['every ticket code is there once', 'SELECT code FROM ticket GROUP BY code HAVING count(*) > 1'],
  ['every ticket code carries its check symbol and its shard', verifyCodes],
  [
    `no member has more than ${TICKETS_PER_STAGE} tickets in a stage`,
    `SELECT ${owner('t.member_id')} || ', stage ' || t.stage FROM ticket t GROUP BY t.member_id, t.stage
     HAVING count(*) > ${TICKETS_PER_STAGE} OR min(t.slot) <> 1 OR max(t.slot) <> count(*)`,
  ],
  [
    `no member has more than ${TICKETS_IN_ALL} tickets`,
    `SELECT ${owner('t.member_id')} FROM ticket t GROUP BY t.member_id HAVING count(*) > ${TICKETS_IN_ALL}`,
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
    'every winning ticket exists and won once',
    `SELECT d.ticket_code FROM draw_result d LEFT JOIN ticket t ON t.code = d.ticket_code
     GROUP BY d.ticket_code HAVING count(*) > 1 OR count(t.code) <> 1`,
  ],
  [
    'every gift code belongs to one ticket',
    'SELECT giftcode FROM draw_result WHERE giftcode IS NOT NULL GROUP BY giftcode HAVING count(*) > 1',
  ],
  [
    'every exchange has its winning ticket with a gift code, of the same member, once',
    `SELECT g.ticket_code FROM giftcode_trade g
     LEFT JOIN draw_result d ON d.ticket_code = g.ticket_code LEFT JOIN ticket t ON t.code = g.ticket_code
     GROUP BY g.ticket_code
     HAVING count(*) <> 1 OR bool_or(d.giftcode IS NULL OR t.member_id IS DISTINCT FROM g.member_id)`,
  ],
  [
    'every event of the ledger belongs to one member',
    `SELECT source || ' ' || ref FROM activity GROUP BY source, ref HAVING count(*) > 1`,
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

/** `verify` in a transaction of the caller. */
export async function verifyIn(tx: Queryable, tell: (finding: Finding) => void): Promise<boolean> {
  for (const [i, [invariant, check, values]] of invariants.entries()) {
    const found = await (typeof check === 'string' ? countViolations(tx, i, check, values) : check(tx))
    tell({ invariant, ...found })
    if (found.broken > 0) return false
  }
  return true
}

/** Recounts every invariant and reports each; stops at the first broken one. @returns true when all hold */
export const verify = (database: Database, tell: (finding: Finding) => void): Promise<boolean> =>
  database.transaction((tx) => verifyIn(tx, tell))
