import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { openPglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'

export interface DatabasePlace {
  /** Postgres, where set. */
  readonly url?: string | undefined
  /** Folder of the embedded database; neither: in memory, for tests. */
  readonly folder?: string | undefined
}

/** Opens the database and brings its schema up to date. @throws StartupError */
export async function openDatabase(
  place: DatabasePlace,
  onError: (error: unknown) => void,
): Promise<Database> {
  if (place.url) {
    const database = await openPostgres(place.url, onError)
    try {
      const client = await database.pool.connect()
      try {
        await migrate(client)
      } finally {
        client.release()
      }
    } catch (error) {
      await database.close()
      throw error
    }
    return database
  }
  const database = await openPglite(place.folder, onError)
  try {
    await database.withClient(migrate)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}
