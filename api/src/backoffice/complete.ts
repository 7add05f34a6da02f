import { batchOf, type Queryable } from '../database/database.ts'
import { findMission } from '../missions/rules.ts'
import { openStage } from '../missions/stages.ts'
import { type BatchData, type Outcome, tally } from '../server/answers.ts'
import type { MissionCompletion, Refusal } from './contract.ts'
import { lockMembersOf } from './ledger.ts'

const keyOf = (c: { memberId: string; stage: number; mission: string }) =>
  `${c.memberId} ${c.stage} ${c.mission}`

/** Stores missions that the back office has completed, each identified by member, stage and mission. */
export async function complete(
  tx: Queryable,
  completions: readonly MissionCompletion[],
  now: Date,
): Promise<BatchData> {
  const idOf = await lockMembersOf(tx, completions)
  const lines = completions.map((given): Completion | Refusal => {
    const memberId = idOf(given.username)
    const at = given.completed_at === undefined ? now : new Date(given.completed_at)
    const stage = openStage(at)
    const mission = given.event_code_detail
    if (memberId === undefined) return 'unknown-member'
    if (!findMission(mission)) return 'unknown-mission'
    if (!stage) return 'outside-stages'
    return { memberId, stage: stage.number, mission, tickets: given.tickets ?? null, at }
  })
  // The first line of a mission is stored; later ones in the batch are compared with it.
  const valid = lines.flatMap((line) => (typeof line === 'string' ? [] : line))
  const first = new Map(valid.toReversed().map((line) => [keyOf(line), line]))
  const batch = [...first.values()]
  const changed = new Set((await completeMissions(tx, batch)).map(keyOf))
  const stored = new Map((await readCompletions(tx, batch)).map((row) => [keyOf(row), row.tickets]))
  return tally(
    lines.map((line): Outcome<Refusal> => {
      if (typeof line === 'string') return line
      const key = keyOf(line)
      if (changed.has(key) && first.get(key) === line) return 'accepted'
      return line.tickets === null || stored.get(key) === line.tickets ? 'repeated' : 'conflict'
    }),
  )
}

interface Completion {
  readonly memberId: string
  readonly stage: number
  readonly mission: string
  readonly tickets: number | null
  readonly at: Date
}

type CompletionRow = Omit<Completion, 'tickets' | 'at'> & { readonly tickets: number }

const completeMissions = batchOf<CompletionRow, Completion>(
  `INSERT INTO member_mission AS mm (member_id, stage, mission, tickets, reached_by, reached_at)
   SELECT g.member_id, g.stage, m.code, coalesce(g.tickets, m.tickets), 'completed', g.at
   FROM unnest($1::bigint[], $2::smallint[], $3::text[], $4::smallint[], $5::timestamptz[])
     AS g (member_id, stage, mission, tickets, at)
   JOIN mission m ON m.code = g.mission
   ORDER BY g.member_id, g.stage, m.code
   ON CONFLICT (member_id, stage, mission) DO UPDATE
     SET reached_by = 'completed', reached_at = coalesce(mm.reached_at, excluded.reached_at), needs_review = false,
         tickets = CASE WHEN mm.claimed_at IS NULL THEN excluded.tickets ELSE mm.tickets END
     WHERE mm.reached_by <> 'completed' OR mm.reached_at IS NULL
       OR (mm.claimed_at IS NULL AND mm.tickets <> excluded.tickets)
   RETURNING member_id AS "memberId", stage, mission, tickets`,
  ['memberId', 'stage', 'mission', 'tickets', 'at'],
)

const readCompletions = batchOf<CompletionRow, Omit<CompletionRow, 'tickets'>>(
  `SELECT mm.member_id AS "memberId", mm.stage, mm.mission, mm.tickets
   FROM unnest($1::bigint[], $2::smallint[], $3::text[]) AS g (member_id, stage, mission)
   JOIN member_mission mm USING (member_id, stage, mission)`,
  ['memberId', 'stage', 'mission'],
)
