import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { type Database, LOST, SILENT, type Statement } from './database.ts'
import { migrateSchema } from './migrate.ts'
import { openPipelined, READ_ONLY, withSqlState } from './pipelined.ts'

const MAX_TRANSACTIONS = 6
/** Milliseconds. A member's statement takes about one. */
const STATEMENT_MS = 10_000
/** A batch that waits for a lock gives up within its call's deadline. */
const BATCH: Timeouts = { statementMs: 120_000, lockMs: 8000 }
/** With TLS and a password, a connection is open after six round trips. */
const CONNECT_MS = 15_000
const TRANSACTION_MS = 5000
/** Milliseconds after the server's own limit until it counts as unreachable. */
const SILENCE_MS = 1000

interface Timeouts {
  readonly statementMs: number
  readonly lockMs: number
}

export interface OpenOptions {
  readonly timeouts?: Timeouts
  /** Opens all pipelined connections first, so that no call waits for one. */
  readonly opensAll?: boolean
  /** Runs on the first connection, which has no time limits. */
  readonly prepare?: (client: pg.Client) => Promise<unknown>
}

const ADVICE: Readonly<Record<string, string>> = {
  '3D000': 'create this database, or correct its name in DATABASE_URL',
  '28P01': 'correct user and password in DATABASE_URL',
  '28000': 'add sslmode=require to DATABASE_URL, or allow this user and address in pg_hba.conf',
  ENOENT: 'correct this path in DATABASE_URL',
}

const UNFIT: readonly string[] = [SILENT, LOST, READ_ONLY]

const limits = (ms: number) => ({ statement_timeout: ms, query_timeout: ms + SILENCE_MS })

const quick = (text: string) => ({ text, query_timeout: TRANSACTION_MS })

/**
 * Sends single statements over pipelined connections, transactions over a pool.
 * @param onError called for each connection that dies
 * @throws StartupError
 */
export async function openPostgres(
  connection: pg.ClientConfig,
  onError: (error: unknown) => void,
  {
    timeouts: { statementMs, lockMs } = BATCH,
    opensAll = false,
    prepare = migrateSchema,
  }: OpenOptions = {},
): Promise<Database> {
  const common = {
    ...connection,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: 'anniversary-api',
  }
  const pool = new pg.Pool({
    ...common,
    connectionTimeoutMillis: TRANSACTION_MS,
    max: MAX_TRANSACTIONS,
    ...limits(statementMs),
  })
  // As parameters of the connection, a pooler such as PgBouncer refuses the one
  // and ignores the other.
  const begin = `BEGIN; SET LOCAL lock_timeout = ${lockMs}; SET LOCAL statement_timeout = ${statementMs}`
  pool.on('error', onError)
  // Without a listener a checked-out client ends the process when its server
  // dies.
  pool.on('connect', (client) => client.on('error', onError))
  try {
    const client = new pg.Client(common)
    client.on('error', onError)
    await client.connect()
    await prepare(client).finally(() => client.end())
  } catch (error) {
    await pool.end()
    if (error instanceof StartupError) throw error
    const advice = ADVICE[errorCode(error) ?? ''] ?? 'check DATABASE_URL, and that this server runs'
    // Node's error of a name with several addresses has no message.
    const reason = errorMessage(error) || errorCode(error)
    throw new StartupError(`the database cannot be reached: ${reason}; ${advice}`, { cause: error })
  }
  const pipelined = openPipelined({ ...common, ...limits(STATEMENT_MS) }, onError)
  if (opensAll) await pipelined.openAll()

  return {
    query: async <Row>(statement: Statement, values: readonly unknown[] = []) =>
      (await pipelined.query(statement, values)).rows as Row[], // named by the statement's author
    async transaction(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw withSqlState(error)
      })
      const send = (query: pg.QueryConfig) =>
        client.query(query).catch((error: unknown) => {
          throw withSqlState(error)
        })
      let isFit = false
      try {
        await send(quick(begin))
        const result = await work({
          query: async <Row>({ name, text }: Statement, values: readonly unknown[] = []) =>
            (await send({ name, text, values: [...values] })).rows as Row[], // as above
        })
        await send(quick('COMMIT'))
        isFit = true
        return result
      } catch (error) {
        const isUnfit = UNFIT.includes(errorCode(error) ?? '')
        isFit =
          !isUnfit &&
          (await client.query(quick('ROLLBACK')).then(
            () => true,
            () => false,
          ))
        throw error
      } finally {
        client.release(!isFit)
      }
    },
    waiting: () => pool.waitingCount + pipelined.waiting(),
    async close() {
      await Promise.all([pool.end(), pipelined.close()])
    },
  }
}
