import type { Stage } from '@anniversary/shared/contract/event'
import { type Queryable, rowOf } from '../database/database.ts'
import { StartupError } from '../startup-error.ts'
import { eventDayOf } from './stages.ts'

const readStages = rowOf<{ stages: string }, []>(
  `SELECT value AS stages FROM setting WHERE key = 'stages'`,
)

const saveStages = rowOf<never, [stages: string]>(
  `INSERT INTO setting (key, value) VALUES ('stages', $1)
   ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
)

const stageOf = (day: string, stages: string) =>
  `(SELECT number FROM json_to_recordset(${stages}::json)
     AS s (number int, "firstDay" date, "lastDay" date)
    WHERE ${day} BETWEEN "firstDay" AND "lastDay")`

const findMovedDay = rowOf<{ day: string }, [before: string, after: string]>(
  `SELECT day::text FROM (
     SELECT day FROM activity
     UNION SELECT ${eventDayOf('claimed_at')} FROM ticket
   ) used
   WHERE ${stageOf('day', '$1')} IS DISTINCT FROM ${stageOf('day', '$2')} ORDER BY day LIMIT 1`,
)

/**
 * The kept sums are of the days that a stage had when activity was booked.
 * @param tx a transaction, whose statements may read a large ledger
 * @throws StartupError
 */
export async function refuseChangedStages(
  tx: Queryable,
  campaign: readonly Stage[],
): Promise<void> {
  const stages = JSON.stringify(campaign)
  const before = (await readStages(tx))?.stages
  if (before === stages) return

  const moved = before && (await findMovedDay(tx, before, stages))
  if (moved)
    throw new StartupError(
      `shared/campaign moves ${moved.day} to another stage or out of one, but activity or tickets of that day were counted by the stages before; restore them, or set DATABASE_URL to a database of its own`,
    )
  await saveStages(tx, stages)
}
