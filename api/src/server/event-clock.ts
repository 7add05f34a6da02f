import { type Queryable, rowOf } from '../database/database.ts'
import type { Context } from './context.ts'

/** @param start its time now; undefined: real time */
export function eventClock(start?: Date): Context['now'] {
  if (!start) return () => new Date()
  const begun = performance.now()
  return () => new Date(start.getTime() + performance.now() - begun)
}

const keepAhead = rowOf<never, [ms: string]>(
  `INSERT INTO setting (key, value) VALUES ('clock_ahead_ms', $1)
   ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
)
const readAhead = rowOf<{ ms: number }, []>(
  "SELECT value::float8 AS ms FROM setting WHERE key = 'clock_ahead_ms' AND value <> '0'",
)

/**
 * Stores how far the clock is ahead of real time, for the operator's commands.
 */
export async function startEventClock(database: Queryable, start?: Date): Promise<Context['now']> {
  await keepAhead(database, String(start ? start.getTime() - Date.now() : 0))
  return eventClock(start)
}

/** Undefined: real time. */
export async function serverTime(database: Queryable): Promise<Date | undefined> {
  const ahead = await readAhead(database)
  return ahead && new Date(Date.now() + ahead.ms)
}
