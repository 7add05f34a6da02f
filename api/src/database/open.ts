import type { Database } from './database.ts'
import { openManagedServer } from './managed/server.ts'
import { openPostgres, type Patience } from './postgres.ts'

/** A Postgres by its URL, or a data folder with one of our own. */
export type DatabasePlace = { readonly url: string } | { readonly folder: string }

interface Place {
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
}
export const placeOf = ({ databaseUrl, dataDir }: Place): DatabasePlace =>
  databaseUrl ? { url: databaseUrl } : { folder: dataDir }

/**
 * Opens the database and migrates it. Starts the Postgres of a data folder if none runs.
 * @param onError called for each connection or server that dies
 */
export async function openDatabase(
  place: DatabasePlace,
  onError: (error: unknown) => void,
  patience?: Patience,
): Promise<Database> {
  if ('url' in place) return openPostgres({ connectionString: place.url }, onError, patience)
  const server = await openManagedServer(place.folder, { onError })
  const database = await openPostgres(server.connection, onError, patience).catch(async (error: unknown) => {
    await server.close()
    throw error
  })
  return { ...database, close: () => database.close().then(server.close) }
}
