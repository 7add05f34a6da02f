import { batchOf, type Queryable } from '../database/database.ts'
import { findMission } from '../missions/rules.ts'
import { findOpenStage } from '../missions/stages.ts'
import { type BatchData, type Outcome, tallyOutcomes } from '../server/answers.ts'
import type { MissionCompletion, Refusal } from './contract.ts'
import { lockMembersOf } from './ledger.ts'

interface Completion {
  readonly index: number
  readonly memberId: string
  readonly stage: number
  readonly mission: string
  readonly tickets: number | null
  readonly at: Date
}

/**
 * Compares later lines of a mission with the stored first one. Joins no part of
 * the batch with another: the planner expects few rows and would compare each
 * with each.
 */
const completeMissions = batchOf<{ index: number; outcome: Outcome<Refusal> }, Completion>(
  `WITH given AS (
     SELECT g.*, m.code, x.tickets AS before, row_number() OVER same = 1 AS is_first,
       -- A claimed mission keeps its tickets, so another number is a conflict.
       first_value(coalesce(g.tickets,
         CASE WHEN x.claimed_at IS NOT NULL THEN x.tickets END, m.tickets))
         OVER same AS after
     FROM unnest($1::int[], $2::bigint[], $3::smallint[],
       $4::text[], $5::smallint[], $6::timestamptz[])
       AS g (index, member_id, stage, mission, tickets, at)
     LEFT JOIN mission m ON m.code = g.mission
     LEFT JOIN member_mission x USING (member_id, stage, mission)
     WINDOW same AS (PARTITION BY member_id, stage, mission ORDER BY index)
   ),
   changed AS (
     INSERT INTO member_mission AS mm (member_id, stage, mission, tickets, reached_by, reached_at)
     SELECT member_id, stage, code, after, 'completed', at
     FROM given WHERE is_first AND code IS NOT NULL
     ORDER BY member_id, stage, code
     ON CONFLICT (member_id, stage, mission) DO UPDATE
       SET reached_by = 'completed', reached_at = coalesce(mm.reached_at, excluded.reached_at),
           needs_review = false, tickets = excluded.tickets
       WHERE CASE
         WHEN mm.claimed_at IS NULL THEN mm.reached_by <> 'completed' OR mm.reached_at IS NULL
           OR mm.tickets <> excluded.tickets
         ELSE mm.reached_by <> 'completed' AND mm.tickets = excluded.tickets END
     RETURNING member_id, stage, mission
   ),
   compared AS (
     SELECT *, (member_id, stage, mission) IN (SELECT * FROM changed) AS is_changed FROM given)
   SELECT index,
     CASE WHEN code IS NULL THEN 'unknown-mission'
     WHEN is_first AND is_changed THEN 'accepted'
     WHEN tickets IS NULL OR tickets = CASE WHEN is_changed THEN after ELSE before END THEN 'repeated'
     ELSE 'conflict' END AS outcome
   FROM compared`,
  ['index', 'memberId', 'stage', 'mission', 'tickets', 'at'],
)

/** Ignores completions that an operator has allowed again since. */
const readTakenBack = batchOf<{ index: number; note: string }, Completion>(
  `SELECT g.index, 'taken back by ' || last.who || ' at ' || event_time(last.at) AS note
   FROM unnest($1::int[], $2::bigint[], $3::smallint[], $4::text[])
     AS g (index, member_id, stage, mission),
   LATERAL (
     SELECT a.who, a.at, a.what FROM audit a
     WHERE a.member_id = g.member_id AND a.what IN ('undo-completion', 'allow-completion')
       AND a.detail @> jsonb_build_object('stage', g.stage, 'mission', g.mission)
     ORDER BY a.id DESC LIMIT 1
   ) last
   WHERE last.what = 'undo-completion'`,
  ['index', 'memberId', 'stage', 'mission'],
)

export async function storeCompletions(
  tx: Queryable,
  completions: readonly MissionCompletion[],
): Promise<BatchData> {
  const idOf = await lockMembersOf(tx, completions)
  const lines = completions.map((given, index): Completion | Refusal => {
    const { username, event_code_detail: mission, completed_at, tickets = null } = given
    const memberId = idOf(username)
    const at = new Date(completed_at)
    const stage = findOpenStage(at)
    if (memberId === undefined) return 'unknown-member'
    if (!findMission(mission)) return 'unknown-mission'
    if (!stage) return 'outside-stages'
    return { index, memberId, stage: stage.number, mission, tickets, at }
  })
  const outcomes = lines.map(
    (line): Outcome<Refusal> => (typeof line === 'string' ? line : 'repeated'),
  )
  const valid = lines.filter((line) => typeof line !== 'string')
  const notes = new Map((await readTakenBack(tx, valid)).map(({ index, note }) => [index, note]))
  for (const index of notes.keys()) outcomes[index] = 'taken-back'
  const open = valid.filter(({ index }) => !notes.has(index))
  for (const { index, outcome } of await completeMissions(tx, open)) outcomes[index] = outcome
  const { refused, ...counts } = tallyOutcomes(outcomes)
  return {
    ...counts,
    refused: refused.map((line) => {
      const note = notes.get(line.index)
      return note === undefined ? line : { ...line, note }
    }),
  }
}
