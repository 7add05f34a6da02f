import { type ApiConfig, readConfig } from '../config.ts'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/open.ts'
import { enterDoor } from '../database/through-door.ts'
import { checkPepper, loadPepper } from '../pepper.ts'
import { syncMissions } from '../repositories/missions.ts'

export interface Operator {
  readonly config: ApiConfig
  readonly database: Database
  readonly pepper: string
}

const tellTrouble = (error: unknown) => console.error(error)

/**
 * Opens the database that the environment names: Postgres, the embedded one, or, while a server has that, the one
 * behind the server's door. Closes it after `work`.
 * @param options.alone true: a running server is no way in
 */
export async function withDatabase(
  work: (operator: Operator) => Promise<void>,
  options: { alone?: boolean } = {},
): Promise<void> {
  const config = readConfig(process.env)
  const throughDoor = config.databaseUrl || options.alone ? undefined : await enterDoor(config.dataDir)
  const place = config.databaseUrl ? { url: config.databaseUrl } : { folder: config.dataDir }
  const database = throughDoor ?? (await openDatabase(place, tellTrouble))
  try {
    const pepper = loadPepper(config)
    await checkPepper(database, pepper)
    if (!throughDoor) await syncMissions(database)
    await work({ config, database, pepper })
  } finally {
    await database.close()
  }
}
