import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { type Database, isSilence, type Queryable, type Statement } from './database.ts'
import { migrate } from './migrate.ts'
import { openPipelined, READ_ONLY } from './pipelined.ts'

/** Connections for transactions: batches of the back office, and the operator. */
const MAX_TRANSACTIONS = 6
/** Milliseconds. A member's statement takes about one; what takes longer waits for a lock or a dying server. */
const STATEMENT_MS = 10_000
const BATCH_MS = 120_000
const CONNECT_MS = 5000
/** So long after the server's own limit, it counts as frozen or out of reach. */
const SILENCE_MS = 1000

/** The server ends a statement after so many milliseconds; if it is silent, we do. */
const limits = (ms: number) => ({ statement_timeout: ms, query_timeout: ms + SILENCE_MS })

/** For BEGIN and ROLLBACK, which neither wait nor work. */
const quick = (text: string) => ({ text, query_timeout: CONNECT_MS })

/** A prepared statement that the server does not know, or knows already: another client's connection got it. */
const MIXED_UP: readonly unknown[] = ['26000', '42P05']

const REFUSAL =
  'the connection pooler before the database does not keep prepared statements: use PgBouncer 1.21 or newer with ' +
  'pool_mode = transaction, max_prepared_statements = 200 and ignore_startup_parameters = statement_timeout, or ' +
  'connect to Postgres itself'

/** An old pooler lends two clients one connection and mixes up their prepared statements. @throws StartupError */
export async function checkPooler(pool: pg.Pool): Promise<void> {
  const clients: pg.PoolClient[] = []
  try {
    // One by one: the first is released even if the second fails.
    while (clients.length < 2) clients.push(await pool.connect())
    for (let turn = 0; turn < 3; turn++)
      for (const client of clients) await client.query({ name: 'pooler-check', text: 'SELECT 1' })
  } catch (error) {
    if (!MIXED_UP.includes(errorCode(error))) throw error
    throw new StartupError(REFUSAL, { cause: error })
  } finally {
    for (const client of clients) client.release()
  }
}

async function run<Row>(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await client.query({ name: statement.name, text: statement.text, values: [...values] })
  return result.rows as Row[] // the statement's author names its row type
}

/**
 * Connects to a Postgres server and migrates it: single statements go over pipelined connections, transactions over a pool.
 * @param onError called for each connection that dies
 * @throws StartupError
 */
export async function openPostgres(
  connection: pg.ClientConfig,
  onError: (error: unknown) => void,
): Promise<Database> {
  const common = {
    ...connection,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'anniversary-api',
  }
  const pool = new pg.Pool({ ...common, max: MAX_TRANSACTIONS, ...limits(BATCH_MS) })
  pool.on('error', onError)
  // A leased client without a listener takes the process down when the server dies under it.
  pool.on('connect', (client) => client.on('error', onError))
  try {
    await checkPooler(pool)
    // Without limits of time: migrations of large tables take long.
    const client = new pg.Client(common)
    client.on('error', onError)
    await client.connect()
    await migrate(client).finally(() => client.end())
  } catch (error) {
    await pool.end()
    if (error instanceof StartupError) throw error
    throw new StartupError(`the database cannot be reached: ${errorMessage(error)}`, { cause: error })
  }
  const pipelined = openPipelined({ ...common, ...limits(STATEMENT_MS) }, onError)

  const lease = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    let isFit = false
    try {
      const result = await work(client)
      isFit = true
      return result
    } catch (error) {
      // A connection to a silent or read-only server is not used again.
      isFit =
        !isSilence(error) &&
        errorCode(error) !== READ_ONLY &&
        (await client.query(quick('ROLLBACK')).then(
          () => true,
          () => false,
        ))
      throw error
    } finally {
      client.release(!isFit)
    }
  }
  let closing: Promise<void> | undefined

  return {
    query: async <Row>(statement: Statement, values: readonly unknown[] = []) =>
      (await pipelined.query(statement, values)).rows as Row[], // named by the statement's author
    transaction: (work) =>
      lease(async (client) => {
        const tx: Queryable = { query: (statement, values) => run(client, statement, values) }
        await client.query(quick('BEGIN'))
        const result = await work(tx)
        await client.query('COMMIT')
        return result
      }),
    stats() {
      const { open, idle, waiting } = pipelined.stats()
      return {
        connections: pool.totalCount + open,
        idle: pool.idleCount + idle,
        waiting: pool.waitingCount + waiting,
      }
    },
    close() {
      closing ??= Promise.all([pool.end(), pipelined.close()]).then(() => undefined)
      return closing
    },
  }
}
