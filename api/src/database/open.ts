import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { openPglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'

export interface DatabasePlace {
  /** Postgres, where set. */
  readonly url?: string | undefined
  /** Folder of the embedded database; neither: in memory, for tests. */
  readonly folder?: string | undefined
  /** A dump that a new embedded database begins with; absent: an empty one is made. */
  readonly snapshot?: Blob | undefined
}

/** Opens the database and brings its schema up to date. @throws StartupError */
export async function openDatabase(
  place: DatabasePlace,
  onError: (error: unknown) => void,
): Promise<Database> {
  const database = place.url
    ? await openPostgres(place.url, onError)
    : await openPglite(place.folder, onError, place.snapshot)
  try {
    await database.withClient(migrate)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}
