import { type ApiConfig, readConfig } from '../config.ts'
import type { Database } from '../database/database.ts'
import { openDatabase, placeOf } from '../database/open.ts'
import { checkPepper, loadPepper } from '../pepper.ts'
import { syncMissions } from '../repositories/missions.ts'

export interface Operator {
  readonly config: ApiConfig
  readonly database: Database
  readonly pepper: string
}

/**
 * Opens the database that the environment names, beside a server that runs on it, and closes it after `work`.
 * @param options.alone true: refuses to run beside a server
 */
export async function withDatabase(
  work: (operator: Operator) => Promise<void>,
  options: { alone?: boolean } = {},
): Promise<void> {
  const config = readConfig(process.env)
  const database = await openDatabase(placeOf(config), (error) => console.error(error), {
    serve: options.alone === true,
  })
  try {
    const pepper = loadPepper(config)
    await checkPepper(database, pepper)
    await syncMissions(database)
    await work({ config, database, pepper })
  } finally {
    await database.close()
  }
}
