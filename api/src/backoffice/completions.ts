import { batchOf } from '../database/database.ts'

export interface Completion {
  readonly memberId: string
  readonly stage: number
  readonly mission: string
  /** Null: the mission's own number. */
  readonly tickets: number | null
  readonly at: Date
}

type CompletionRow = Omit<Completion, 'tickets' | 'at'> & { readonly tickets: number }

/** Marks missions as completed by the back office. @returns the rows that changed */
export const completeMissions = batchOf<CompletionRow, Completion>(
  'mission-complete',
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

export const readCompletions = batchOf<CompletionRow, Omit<CompletionRow, 'tickets'>>(
  'mission-states',
  `SELECT mm.member_id AS "memberId", mm.stage, mm.mission, mm.tickets
   FROM unnest($1::bigint[], $2::smallint[], $3::text[]) AS g (member_id, stage, mission)
   JOIN member_mission mm USING (member_id, stage, mission)`,
  ['memberId', 'stage', 'mission'],
)
