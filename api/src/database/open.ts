import type { Database } from './database.ts'
import { openManagedServer } from './managed/server.ts'
import { type OpenOptions, openPostgres } from './postgres.ts'

/**
 * Without a URL it is the demo's Postgres in the data folder.
 * @param onError called for each connection that dies
 */
export async function openDatabase(
  { databaseUrl, dataDir }: { databaseUrl?: string | undefined; dataDir: string },
  onError: (error: unknown) => void,
  options?: OpenOptions,
): Promise<Database> {
  if (databaseUrl) return openPostgres({ connectionString: databaseUrl }, onError, options)
  const server = await openManagedServer(dataDir)
  const database = await openPostgres(server.connection, onError, options).catch(
    async (error: unknown) => {
      await server.close()
      throw error
    },
  )
  return { ...database, close: () => database.close().then(server.close) }
}
