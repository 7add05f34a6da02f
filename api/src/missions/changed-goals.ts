import { type Queryable, rowsOf } from '../database/database.ts'
import { StartupError } from '../startup-error.ts'

interface ChangedGoal {
  readonly code: string
  readonly before: number
  readonly after: number
}

/** Missions whose goal in the database differs, once members have activity that was counted by it. */
const changedGoals = rowsOf<ChangedGoal, [missions: string]>(
  `SELECT m.code, m.goal AS before, g.goal AS after
   FROM mission m JOIN json_to_recordset($1::json) AS g (code text, goal int) USING (code)
   WHERE m.goal <> g.goal AND EXISTS (SELECT FROM stage_activity)`,
)

/**
 * Refuses a campaign with other goals than members were counted by: some would have reached a mission, and others not,
 * with the same activity.
 * @throws StartupError
 */
export async function refuseChangedGoals(db: Queryable, missions: string): Promise<void> {
  const changed = await changedGoals(db, missions)
  if (changed.length === 0) return

  const goals = changed.map(({ code, before, after }) => `${code} from ${before} to ${after}`)
  throw new StartupError(
    `shared/campaign changes the goal of ${goals.join(', ')}, but members' activity was counted by the goal before; restore it, or give the mission a code of its own`,
  )
}
