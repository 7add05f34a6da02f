import { userInfo } from 'node:os'
import { eventClock } from '../clock.ts'
import { type ApiConfig, readConfig } from '../config.ts'
import type { Database } from '../database/database.ts'
import { openDatabase, placeOf } from '../database/open.ts'
import { checkPeppers, loadPeppers } from '../pepper.ts'
import { syncMissions } from '../repositories/missions.ts'
import type { Peppers } from '../rules/credentials.ts'

export interface Operator {
  /** For the audit: OPERATOR, else the user of the machine. */
  readonly name: string
  readonly config: ApiConfig
  readonly database: Database
  readonly peppers: Peppers
  /** The event's time. */
  now(): Date
}

function operatorName(): string {
  const { OPERATOR, SUDO_USER } = process.env
  if (OPERATOR || SUDO_USER) return OPERATOR || SUDO_USER || ''
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}` // a container may run under a number without a name
  }
}

/**
 * Opens the database that the environment names, beside a server that runs on it, and closes it after `work`.
 * @param options.alone true: refuses to run beside a server
 * @param options.anyPepper true: `work` brings the peppers of the database
 */
export async function withDatabase(
  work: (operator: Operator) => Promise<void>,
  options: { alone?: boolean; anyPepper?: boolean } = {},
): Promise<void> {
  const config = readConfig(process.env)
  const database = await openDatabase(placeOf(config), (error) => console.error(error), {
    serve: options.alone === true,
  })
  try {
    const peppers = loadPeppers(config)
    if (!options.anyPepper) await checkPeppers(database, peppers)
    await syncMissions(database)
    const { now } = eventClock(config.eventNow)
    await work({ name: operatorName(), config, database, peppers, now })
  } finally {
    await database.close()
  }
}
