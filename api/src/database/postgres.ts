import pg from 'pg'
import { StartupError } from '../startup-error.ts'
import type { Database, Queryable, Statement } from './database.ts'

const MAX_CONNECTIONS = 10

async function run<Row>(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await client.query({ ...statement, values: [...values] })
  return result.rows as Row[] // the statement's author names its row type
}

/**
 * Opens a pool on a Postgres server.
 * @param onError told of connections that die while nobody uses them
 * @throws StartupError when the server cannot be reached
 */
export async function openPostgres(
  url: string,
  onError: (error: unknown) => void,
): Promise<Database & { pool: pg.Pool }> {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    application_name: 'anniversary-api',
  })
  pool.on('error', onError)
  // A leased client without a listener takes the process down when the server dies under it.
  pool.on('connect', (client) => client.on('error', onError))
  try {
    await pool.query('SELECT 1')
  } catch (error) {
    await pool.end()
    const reason = error instanceof Error ? error.message || String(error) : String(error)
    throw new StartupError(`the database cannot be reached: ${reason}`, { cause: error })
  }

  const lease = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    try {
      return await work(client)
    } finally {
      client.release()
    }
  }
  let closing: Promise<void> | undefined

  return {
    engine: 'postgres',
    pool,
    query: (statement, values) => lease((client) => run(client, statement, values)),
    transaction: (work) =>
      lease(async (client) => {
        const tx: Queryable = { query: (statement, values) => run(client, statement, values) }
        await client.query('BEGIN')
        try {
          const result = await work(tx)
          await client.query('COMMIT')
          return result
        } catch (error) {
          // A dead connection cannot roll back; its server does that by itself.
          await client.query('ROLLBACK').catch(onError)
          throw error
        }
      }),
    stats: () => ({ connections: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close() {
      closing ??= pool.end()
      return closing
    },
  }
}
