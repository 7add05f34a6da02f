import { namedStatement, type Queryable, rowsOf } from '../database/database.ts'
import { StartupError } from '../startup-error.ts'
import { countedSum, HAS_SURPLUS, longestStreak } from './rules.ts'

interface ChangedGoal {
  readonly mission: string
  readonly before: number
  readonly after: number
}

export function goalChangeText({ mission, before, after }: ChangedGoal): string {
  if (before === 0) return `the new mission ${mission}`
  if (after === 0) return `the removed mission ${mission}`
  if (before === after) return `the kind of ${mission}`
  return `the goal of ${mission} from ${before} to ${after}`
}

export interface RecountedGoal extends ChangedGoal {
  readonly reached: number
  /** Reached before, not claimed, and open again. */
  readonly openAgain: number
  /** Claimed, and kept although the goal is no longer reached. */
  readonly kept: number
}

/** SQL: 0 where there is no such mission, 1 for one without a goal. */
const goalOf = (of: string) => `coalesce(${of}.goal, (${of}.code IS NOT NULL)::int)`

/** SQL: `changed`, from $1, the missions of the campaign as JSON. */
const CHANGED = `changed AS (
  SELECT code AS mission, coalesce(g.kind, m.kind) AS kind,
    ${goalOf('m')} AS before, ${goalOf('g')} AS after
  FROM json_to_recordset($1::json) AS g (code text, kind text, goal int)
  FULL JOIN mission m USING (code)
  WHERE (${goalOf('m')} <> ${goalOf('g')} OR m.kind <> g.kind)
    AND EXISTS (SELECT FROM stage_activity))`

const SUM = countedSum('c.kind', 'sa')
const PROVEN_DAYS = longestStreak({
  memberId: 'mm.member_id',
  stage: 'mm.stage',
  first: "(mm.proof ->> 'start')::date",
  last: "(mm.proof ->> 'end')::date",
})

/**
 * SQL: whether the mission `mm` was reached by the goal before, and is not by
 * the one after. A surplus is still to be decided about.
 */
const NO_LONGER = `CASE mm.reached_by
  WHEN 'activity' THEN mm.reached_at IS NOT NULL AND NOT mm.needs_review AND ${SUM} < c.after
  WHEN 'proof' THEN c.before <= ${PROVEN_DAYS} AND ${PROVEN_DAYS} < c.after
  ELSE false END AND NOT ${HAS_SURPLUS}`

const findChangedGoals = rowsOf<ChangedGoal, [missions: string]>(
  `WITH ${CHANGED} SELECT mission, before, after FROM changed`,
)

const countRecounted = rowsOf<RecountedGoal, [missions: string]>(
  `WITH ${CHANGED}
   SELECT c.mission, c.before, c.after,
     (count(*) FILTER (WHERE c.after > 0 AND ${SUM} >= c.after
       AND mm.reached_at IS NULL))::int AS reached,
     (count(*) FILTER (WHERE mm.claimed_at IS NULL AND ${NO_LONGER}))::int AS "openAgain",
     (count(*) FILTER (WHERE mm.claimed_at IS NOT NULL AND ${NO_LONGER}))::int AS kept
   FROM changed c CROSS JOIN stage_activity sa
   LEFT JOIN member_mission mm
     ON (mm.member_id, mm.stage, mm.mission) = (sa.member_id, sa.stage, c.mission)
   GROUP BY c.mission, c.before, c.after ORDER BY c.mission`,
)

/**
 * Writes the decision of "keep" for claims that stay. Its time is the start of
 * the transaction: a reversal that waits for this one is dated by its own
 * statement, which begins before this statement.
 */
export const keepClaimedMissions = rowsOf<
  never,
  [missions: string, who: string, why: string | undefined]
>(
  `WITH ${CHANGED}
   INSERT INTO audit (at, who, what, member_id, subject, why, detail)
   SELECT now(), $2, 'keep', mm.member_id, '', $3,
     jsonb_build_object('mission', mm.mission, 'stage', mm.stage, 'recount', true)
   FROM changed c CROSS JOIN stage_activity sa
   JOIN member_mission mm
     ON (mm.member_id, mm.stage, mm.mission) = (sa.member_id, sa.stage, c.mission)
   WHERE mm.claimed_at IS NOT NULL AND ${NO_LONGER}`,
)

// Bookings wait, which would derive missions by the goals before.
const lockBookings = namedStatement('LOCK TABLE stage_activity IN SHARE MODE')

const findReplaced = rowsOf<{ mission: string }, [missions: string]>(
  `SELECT m.code || ' of kind ' || m.kind AS mission FROM mission m
   WHERE (m.code, m.kind) NOT IN (
     SELECT * FROM json_to_recordset($1::json) AS g (code text, kind text))
     AND EXISTS (SELECT FROM member_mission mm WHERE mm.mission = m.code)
   ORDER BY m.code`,
)

/**
 * A mission that members have reached keeps its code and its kind.
 * @throws StartupError
 */
export async function refuseReplacedMissions(db: Queryable, missions: string): Promise<void> {
  const replaced = await findReplaced(db, missions)
  if (replaced.length === 0) return

  throw new StartupError(
    `shared/campaign has no ${replaced.map(({ mission }) => mission).join(', ')}, but members have reached it; restore it, or set DATABASE_URL to a database of its own`,
  )
}

/** Nothing is booked until the transaction ends. */
export async function countChangedGoals(
  tx: Queryable,
  missions: string,
): Promise<readonly RecountedGoal[]> {
  await refuseReplacedMissions(tx, missions)
  await tx.query(lockBookings)
  return await countRecounted(tx, missions)
}

/**
 * By another goal, the same activity would have reached a mission for some and
 * not for others.
 * @throws StartupError
 */
export async function refuseChangedGoals(db: Queryable, missions: string): Promise<void> {
  const changed = await findChangedGoals(db, missions)
  if (changed.length === 0) return

  throw new StartupError(
    `shared/campaign changes what members' activity was counted by: ${changed.map(goalChangeText).join(', ')}; restore it, or apply it to everybody by "event recount --dry-run" and then "event recount --reason TEXT"`,
  )
}
