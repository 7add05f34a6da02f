import { ME, sessionRow } from './session-sql.ts'

/** Notes why a claim was refused: one row for each member, mission and reason. */
export const noteRefusal = sessionRow<never, [stage: number, mission: string, reason: string, at: Date]>(
  'refusal-note',
  `WITH ${ME}
   INSERT INTO claim_refusal AS r (shard, member_id, stage, mission, reason, times, last_at)
   SELECT $1, member_id, $3, $4, $5, 1, $6::timestamptz FROM me
   ON CONFLICT (member_id, stage, mission, reason, shard) DO UPDATE SET times = r.times + 1, last_at = excluded.last_at`,
)
