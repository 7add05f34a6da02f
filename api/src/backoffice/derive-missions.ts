import { type Queryable, rowsOf } from '../database/database.ts'
import { countedSum } from '../missions/rules.ts'
import type { ActivityRow } from './ledger.ts'

const IS_REACHED = `${countedSum('m.kind', 'sa')} >= m.goal`

const markReached = rowsOf<never, [memberIds: readonly string[], at: Date]>(
  `INSERT INTO member_mission AS mm (member_id, stage, mission, tickets, reached_by, reached_at)
   SELECT sa.member_id, sa.stage, m.code, m.tickets, 'activity', $2::timestamptz
   FROM stage_activity sa JOIN mission m ON ${IS_REACHED}
   WHERE sa.member_id = ANY($1::bigint[])
   -- Rows that would not change are not locked, so that claims do not wait.
   AND NOT EXISTS (
     SELECT FROM member_mission x
     WHERE (x.member_id, x.stage, x.mission) = (sa.member_id, sa.stage, m.code)
       AND x.reached_at IS NOT NULL AND NOT x.needs_review)
   ORDER BY sa.member_id, sa.stage, m.code
   ON CONFLICT (member_id, stage, mission) DO UPDATE
     SET reached_at = coalesce(mm.reached_at, excluded.reached_at), needs_review = false
     WHERE mm.reached_at IS NULL OR mm.needs_review`,
)

const takeBack = rowsOf<never, [memberIds: readonly string[]]>(
  `UPDATE member_mission mm
   SET reached_at = CASE WHEN mm.claimed_at IS NULL THEN NULL ELSE mm.reached_at END,
       needs_review = mm.claimed_at IS NOT NULL
   WHERE mm.member_id = ANY($1::bigint[]) AND mm.reached_by = 'activity'
     AND mm.reached_at IS NOT NULL AND NOT mm.needs_review
     AND NOT EXISTS (
       SELECT FROM stage_activity sa JOIN mission m ON ${IS_REACHED}
       WHERE (sa.member_id, sa.stage, m.code) = (mm.member_id, mm.stage, mm.mission))`,
)

/**
 * Sets which missions these members have reached. A claimed one that is no
 * longer reached is marked for review.
 */
export async function updateReachedMissions(
  tx: Queryable,
  memberIds: readonly string[],
  at: Date,
): Promise<void> {
  await markReached(tx, memberIds, at)
  await takeBack(tx, memberIds)
}

/** The caller has locked the members of these rows. */
export async function deriveMissions(
  tx: Queryable,
  rows: readonly ActivityRow[],
  at: Date,
): Promise<void> {
  const membersOf = (some: readonly ActivityRow[]) => [
    ...new Set(some.map(({ memberId }) => memberId)),
  ]
  await markReached(tx, membersOf(rows), at)
  const reversals = rows.filter(({ kind }) => kind === 'reversal')
  if (reversals.length > 0) await takeBack(tx, membersOf(reversals))
}
