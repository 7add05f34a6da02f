import { type Database, rowOf } from '../database/database.ts'
import type { App, Context } from './context.ts'

/**
 * Sessions end by the database's clock, and stages by that of each process.
 * Clocks that are two seconds apart are measured as a little less.
 */
const MOST_SECONDS_APART = 1
const COMPARE_EVERY_MS = 60_000

const readClock = rowOf<{ seconds: number }, []>(
  'SELECT extract(epoch FROM clock_timestamp())::float8 AS seconds',
)

/**
 * Returns at least how many seconds the database's clock is ahead; negative:
 * behind. Excludes the answer's time on the way.
 */
export async function databaseClockAhead(database: Database): Promise<number> {
  const before = Date.now() / 1000
  const row = await readClock(database)
  const after = Date.now() / 1000
  const { seconds = before } = row ?? {}

  if (seconds > after) return seconds - after
  return Math.min(0, seconds - before)
}

export function watchDatabaseClock(app: App, { database, metrics }: Context): void {
  const compare = async () => {
    const seconds = await databaseClockAhead(database)
    metrics.databaseClockAhead.set(seconds)
    if (Math.abs(seconds) < MOST_SECONDS_APART) return
    app.log.warn(
      { seconds },
      "the database's clock is ahead of this machine's by so many seconds: set both by NTP",
    )
  }
  const compareOrWarn = () =>
    compare().catch((err: unknown) => app.log.warn({ err }, 'the clocks were not compared'))

  const timer = setInterval(compareOrWarn, COMPARE_EVERY_MS).unref()
  app.addHook('onReady', compareOrWarn)
  app.addHook('onClose', async () => clearInterval(timer))
}
