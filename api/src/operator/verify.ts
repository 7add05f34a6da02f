import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { type Database, namedStatement, rowOf } from '../database/database.ts'
import { LIST_INVARIANTS } from '../draws/draw-lists.ts'
import { countedSum, daysOf, hasKeptDays } from '../missions/rules.ts'
import { eventDayOf, STAGE_ROWS } from '../missions/stages.ts'
import { csvExportKinds } from './exports.ts'
import { formatNumber } from './member-report.ts'

export interface Finding {
  readonly invariant: string
  readonly broken: number
  readonly examples: readonly string[]
}

export function findingText({ invariant, broken }: Finding): string {
  if (broken === 0) return `ok      ${invariant}`
  return `BROKEN  ${invariant}: ${formatNumber(broken)}`
}

const EXAMPLES = 5

const owner = (id: string) => `(SELECT o.account FROM member o WHERE o.id = ${id})`

const TOTAL = `total AS (
  SELECT a.member_id, s.stage,
    coalesce(sum(a.amount) FILTER (WHERE a.kind = 'deposit'), 0) AS deposit_total,
    coalesce(sum(a.amount) FILTER (WHERE a.kind = 'bet'), 0) AS bet_total,
    count(*) FILTER (WHERE a.kind = 'deposit') AS deposits
  FROM ${STAGE_ROWS} JOIN counted_activity a ON a.day BETWEEN s.first_day AND s.last_day
  GROUP BY a.member_id, s.stage)`

/** The SQL selects a text for each violation. */
type Invariant = readonly [name: string, text: string]

const invariants: readonly Invariant[] = [
  [
    `no member has more than ${TICKETS_PER_STAGE} tickets in a stage`,
    `SELECT ${owner('t.member_id')} || ', stage ' || t.stage FROM ticket t
     GROUP BY t.member_id, t.stage
     HAVING count(*) > ${TICKETS_PER_STAGE} OR min(t.slot) <> 1 OR max(t.slot) <> count(*)`,
  ],
  [
    "every stage's counter is its number of tickets",
    `SELECT ${owner('member_id')} || ', stage ' || stage
     FROM (SELECT member_id, stage, count(*) AS n FROM ticket GROUP BY member_id, stage) t
     FULL JOIN stage_tickets s USING (member_id, stage)
     WHERE coalesce(t.n, 0) <> coalesce(s.tickets, 0)`,
  ],
  [
    'every ticket has its completed mission, and every claimed mission its tickets',
    `SELECT ${owner('member_id')} || ', stage ' || stage || ', ' || mission
     FROM (SELECT member_id, stage, mission, count(*) AS n, min(claimed_at) AS first,
       max(claimed_at) AS last
           FROM ticket GROUP BY member_id, stage, mission) t
     FULL JOIN member_mission mm USING (member_id, stage, mission)
     WHERE CASE WHEN mm.claimed_at IS NULL THEN t.n IS NOT NULL
       ELSE mm.reached_at IS NULL OR t.n IS DISTINCT FROM mm.tickets
         OR t.first <> mm.claimed_at OR t.last <> mm.claimed_at END`,
  ],
  [
    'every ticket was given while its stage was open',
    `SELECT t.code FROM ticket t JOIN ${STAGE_ROWS} USING (stage)
     WHERE ${eventDayOf('t.claimed_at')} NOT BETWEEN s.first_day AND s.last_day`,
  ],
  [
    'every exchange has its winning ticket with a gift code, of the same member',
    `SELECT g.ticket_code FROM giftcode_trade g
     LEFT JOIN draw_result d ON d.ticket_code = g.ticket_code
     LEFT JOIN ticket t ON t.code = g.ticket_code
     WHERE d.giftcode IS NULL OR t.member_id IS DISTINCT FROM g.member_id`,
  ],
  [
    'every stored sum equals a recount of the ledger',
    `WITH ${TOTAL}
     SELECT ${owner('member_id')} || ', stage ' || stage
     FROM total t FULL JOIN stage_activity k USING (member_id, stage)
     WHERE coalesce(t.deposit_total, 0) <> coalesce(k.deposit_total, 0)
       OR coalesce(t.bet_total, 0) <> coalesce(k.bet_total, 0)
       OR coalesce(t.deposits, 0) <> coalesce(k.deposits, 0)`,
  ],
  [
    'every kept day of deposits equals a recount of the ledger',
    `WITH counted AS (
       SELECT a.member_id, s.stage, ${daysOf('a.day')} AS days
       FROM ${STAGE_ROWS} JOIN counted_activity a ON a.day BETWEEN s.first_day AND s.last_day
       WHERE a.kind = 'deposit' GROUP BY a.member_id, s.stage)
     SELECT ${owner('member_id')} || ', stage ' || stage
     FROM stage_activity k LEFT JOIN counted c USING (member_id, stage)
     -- Lists recount a stage whose days are not kept yet.
     WHERE coalesce(c.days, '{}') <> k.deposit_days AND ${hasKeptDays('k')}`,
  ],
  [
    'every mission has the state that a recount of the ledger gives',
    `WITH ${TOTAL},
     reached AS (
       SELECT t.member_id, t.stage, m.code AS mission, true AS carried
       FROM total t JOIN mission m ON m.goal <= ${countedSum('m.kind', 't')})
     SELECT ${owner('member_id')} || ', stage ' || stage || ', ' || mission
     FROM reached r FULL JOIN member_mission mm USING (member_id, stage, mission)
     WHERE CASE WHEN mm.reached_by IS NULL THEN true
       WHEN mm.reached_by <> 'activity' THEN false
       WHEN r.carried THEN mm.reached_at IS NULL OR mm.needs_review
       WHEN mm.claimed_at IS NOT NULL THEN NOT mm.needs_review
       ELSE mm.reached_at IS NOT NULL END`,
  ],
]

interface Content {
  readonly members: number
  readonly tickets: number
  readonly events: number
  readonly review: number
  readonly unmatched: number
  readonly unmatchedLine: string | null
}

const readContent = rowOf<Content, []>(
  `SELECT u.*,
     (SELECT count(*) FROM (${csvExportKinds.review.query}) x)::int AS review,
     (SELECT count(*) FROM member)::int AS members,
     (SELECT count(*) FROM ticket)::int AS tickets,
     (SELECT count(*) FROM activity)::int AS events
   FROM (
     SELECT count(*)::int AS unmatched, min(r.source || ' ' || r.ref) AS "unmatchedLine"
     FROM activity r WHERE r.reverses IS NOT NULL AND NOT EXISTS (
       SELECT FROM activity a
       WHERE (a.source, a.ref, a.member_id) = (r.source, r.reverses, r.member_id)
         AND a.kind <> 'reversal')
   ) u`,
)

/** In a transaction, whose statements may take longer. */
export const countContent = (database: Database) => database.transaction((tx) => readContent(tx))

/**
 * Reports each invariant, and stops at the first broken one. Returns whether
 * all hold. Lists come first, since a fault of the ledger must not hide theirs.
 */
export const verifyInvariants = (
  database: Database,
  onFinding: (finding: Finding) => void,
  checked: readonly Invariant[] = [...LIST_INVARIANTS, ...invariants],
): Promise<boolean> =>
  database.transaction(async (tx) => {
    for (const [invariant, text] of checked) {
      const counting = namedStatement(
        `SELECT count(*)::int AS broken,
           coalesce((array_agg(v.example))[1:${EXAMPLES}], '{}') AS examples
         FROM (${text}) v (example)`,
      )
      for (const found of await tx.query<Omit<Finding, 'invariant'>>(counting)) {
        onFinding({ invariant, ...found })
        if (found.broken > 0) return false
      }
    }
    return true
  })
