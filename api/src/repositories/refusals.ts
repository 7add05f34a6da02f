import { type Queryable, statement } from '../database/database.ts'
import type { SessionKey } from '../rules/credentials.ts'
import { ME } from './session-sql.ts'

const note = statement(
  'refusal-note',
  `WITH ${ME}
   INSERT INTO claim_refusal AS r (shard, member_id, stage, mission, reason, times, last_at)
   SELECT $1, member_id, $3, $4, $5, 1, $6::timestamptz FROM me
   ON CONFLICT (member_id, stage, mission, reason, shard) DO UPDATE SET times = r.times + 1, last_at = excluded.last_at`,
)

/** Notes why a claim was refused: one row for each member, mission and reason. */
export async function noteRefusal(
  db: Queryable,
  session: SessionKey,
  refusal: { stage: number; mission: string; reason: string; at: Date },
): Promise<void> {
  const { stage, mission, reason, at } = refusal
  await db.query(note, [session.shard, session.hash, stage, mission, reason, at.toISOString()])
}
