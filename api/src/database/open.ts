import type { ApiConfig } from '../config.ts'
import type { Database } from './database.ts'
import { openManagedServer } from './managed/server.ts'
import { migrate } from './migrate.ts'
import { openPostgres, type PostgresDatabase } from './postgres.ts'

/** A Postgres by its URL, or a data folder with one of our own. */
export type DatabasePlace = { readonly url: string } | { readonly folder: string }

export const placeOf = ({
  databaseUrl,
  dataDir,
}: Pick<ApiConfig, 'databaseUrl' | 'dataDir'>): DatabasePlace =>
  databaseUrl ? { url: databaseUrl } : { folder: dataDir }

async function openManaged(
  folder: string,
  onError: (error: unknown) => void,
  serve: boolean,
): Promise<PostgresDatabase> {
  const server = await openManagedServer(folder, { serve, onError })
  const database = await openPostgres(server.connection, onError).catch(async (error: unknown) => {
    await server.close()
    throw error
  })
  let closing: Promise<void> | undefined
  return {
    ...database,
    close() {
      closing ??= database.close().then(server.close)
      return closing
    },
  }
}

/**
 * Opens the database and migrates it. Starts the Postgres of a data folder if none runs.
 * @param onError called for each connection or server that dies
 * @param options.serve claims the data folder, as the API server does and a command does not
 * @throws StartupError
 */
export async function openDatabase(
  place: DatabasePlace,
  onError: (error: unknown) => void,
  options: { serve?: boolean } = {},
): Promise<Database> {
  const database =
    'url' in place
      ? await openPostgres({ connectionString: place.url }, onError)
      : await openManaged(place.folder, onError, options.serve === true)
  try {
    await database.withClient(migrate)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}
