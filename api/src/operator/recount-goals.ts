import type { Command } from 'commander'
import { updateReachedMissions } from '../backoffice/derive-missions.ts'
import { type Queryable, rowOf } from '../database/database.ts'
import {
  countChangedGoals,
  goalChangeText,
  keepClaimedMissions,
  type RecountedGoal,
} from '../missions/changed-goals.ts'
import { campaignMissions, saveMissions } from '../missions/mission-list.ts'
import { applyCorrection } from './apply-correction.ts'
import { reasonOption, runOnDatabase } from './command.ts'
import { countText, formatNumber } from './member-report.ts'

const activeMembers = rowOf<{ ids: string[] }, []>(
  "SELECT coalesce(array_agg(DISTINCT member_id), '{}') AS ids FROM stage_activity",
)

/** Nobody loses a ticket. */
export async function recountGoals(
  tx: Queryable,
  missions: string,
  at: Date,
  by: { readonly who: string; readonly why?: string },
): Promise<readonly RecountedGoal[]> {
  const goals = await countChangedGoals(tx, missions)
  if (goals.length === 0) throw new Error('shared/campaign changes no goal')

  await keepClaimedMissions(tx, missions, by.who, by.why)
  await saveMissions(tx, missions)
  await updateReachedMissions(tx, (await activeMembers(tx))?.ids ?? [], at)
  return goals
}

const goalText = (goal: RecountedGoal): string =>
  [
    `${goalChangeText(goal)}: ${countText(goal.reached, 'mission')} reached by it`,
    `${formatNumber(goal.openAgain)} not claimed and open again`,
    `${formatNumber(goal.kept)} claimed and kept`,
  ].join(', ')

export function addRecountCommand(program: Command): void {
  program
    .command('recount')
    .description(
      "applies changed goals, new missions, and removed ones that nobody has reached, to everybody's activity; until then the API does not start. Claimed missions keep their tickets",
    )
    .option('--dry-run', 'only count what would change')
    .addOption(reasonOption())
    .action(
      runOnDatabase(async ({ name, database, now }, { dryRun, reason }) => {
        const missions = campaignMissions()
        if (!dryRun && reason === undefined)
          throw new Error('name --reason TEXT for the audit, or --dry-run')
        const by = { who: name, what: 'recount', why: reason }
        const recount = async (tx: Queryable) => ({
          detail: { goals: await recountGoals(tx, missions, now(), by) },
        })
        const goals = dryRun
          ? await database.transaction((tx) => countChangedGoals(tx, missions))
          : (await applyCorrection(database, recount, by)).detail.goals
        for (const goal of goals) console.log(goalText(goal))
        if (dryRun) console.log('dry run: nothing was changed')
      }),
    )
}
