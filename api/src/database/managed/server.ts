import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import pg from 'pg'
import { StartupError } from '../../startup-error.ts'
import { type Cluster, openCluster, reasonIn } from './cluster.ts'

/** A Postgres server in a data folder, which its users start and stop among themselves. */
export type ManagedServer = Awaited<ReturnType<typeof openManagedServer>>

export interface ManagedOptions {
  /** Claims the folder: one process at a time may be its API server. Commands connect beside it. */
  readonly serve: boolean
  /** Further settings of a server that this call starts. */
  readonly settings?: readonly string[]
  /** Called when a dead server does not start again. */
  readonly onError: (error: unknown) => void
}

/** A server that recovers a long log may take a while; a next start finds it further. */
const START_MS = 60_000
const CONNECT_MS = 5000
const RETRY_MS = 20
const RESTART_MS = 1000
/** Milliseconds in which a killed process's connection is gone, and its claim with it. */
const CLAIM_MS = 1000
const CLAIM_KEY = 20_250_801

/** No server listens, or it has just died. */
const isAbsent = (error: unknown) =>
  [undefined, 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(errorCode(error))
/** Starting, recovering or stopping. */
const isBusy = (error: unknown) => /^57P0/.test(errorCode(error) ?? '')
/** Another process has just started a server here, or the last children of a killed one are still ending. */
const isRace = (log: string) => /lock file .* already exists|shared memory block/.test(log)

async function connect(cluster: Cluster): Promise<pg.Client> {
  const client = new pg.Client({
    ...cluster.connection,
    application_name: `process ${process.pid}`,
    connectionTimeoutMillis: CONNECT_MS,
  })
  // An 'end' follows, which the caller handles.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Connects to the cluster's server, and starts one where none runs. @throws StartupError */
export async function connectOrStart(
  cluster: Cluster,
  settings: readonly string[],
  isCancelled: () => boolean = () => false,
): Promise<pg.Client> {
  const giveUpAt = Date.now() + START_MS
  let launched: ReturnType<Cluster['launch']> | undefined
  for (;;) {
    try {
      return await connect(cluster)
    } catch (error) {
      const log = launched?.hasEnded() ? launched.log() : undefined
      const isHopeless = (!isAbsent(error) && !isBusy(error)) || (log !== undefined && !isRace(log))
      if (isHopeless || isCancelled() || Date.now() > giveUpAt) {
        const why = log === undefined ? errorMessage(error) : reasonIn(log)
        throw new StartupError(`the database in ${cluster.folder} does not start: ${why}`, { cause: error })
      }
      if (isAbsent(error) && (!launched || log !== undefined)) launched = cluster.launch(settings)
    }
    await sleep(RETRY_MS)
  }
}

async function claim(keeper: pg.Client, cluster: Cluster): Promise<void> {
  const giveUpAt = Date.now() + CLAIM_MS
  for (;;) {
    const { rows } = await keeper.query(`SELECT pg_try_advisory_lock(${CLAIM_KEY}) AS claimed`)
    if (rows[0].claimed) return
    if (Date.now() > giveUpAt) break
    await sleep(50)
  }
  const { rows } = await keeper.query(
    `SELECT application_name AS holder FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND objid = ${CLAIM_KEY} AND granted`,
  )
  throw new StartupError(
    `the data folder ${dirname(cluster.folder)} is in use by ${rows[0]?.holder ?? 'another process'}; stop it or set DATA_DIR`,
  )
}

/** Whether no other client is connected. A session is no longer counted once its socket has closed. */
async function isAlone(keeper: pg.Client): Promise<boolean> {
  const { rows } = await keeper.query(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  )
  return rows[0].n === 0
}

/**
 * Connects to the Postgres of a data folder: adopts the one that runs (an API server that was killed leaves its own),
 * else starts one, and starts it again when it dies. One connection is kept for as long as this process uses the server.
 * @throws StartupError in one line: folder in use or not writable, disk full, no fitting Postgres
 */
export async function openManagedServer(dataDir: string, options: ManagedOptions) {
  const { serve, settings = [], onError } = options
  const cluster = await openCluster(dataDir)
  let keeper: pg.Client | undefined
  let restarting: Promise<void> | undefined
  let closing: Promise<void> | undefined

  const join = async () => {
    const client = await connectOrStart(cluster, settings, () => closing !== undefined)
    try {
      if (serve) await claim(client, cluster)
    } catch (error) {
      await client.end()
      throw error
    }
    client.once('end', () => {
      keeper = undefined
      if (!closing) restarting = restart()
    })
    keeper = client
  }
  const restart = async () => {
    while (!keeper && !closing) {
      try {
        await join()
      } catch (error) {
        onError(error)
        await sleep(RESTART_MS)
      }
    }
  }
  const close = async () => {
    await restarting
    const client = keeper
    // Without a connection: a server that this process was just starting.
    const isLast = !client || (await isAlone(client).catch(() => false))
    await client?.end()
    if (isLast) await cluster.stop()
    cluster.close()
  }

  try {
    await join()
  } catch (error) {
    cluster.close()
    throw error
  }
  return {
    /** For `pg`. */
    connection: cluster.connection,
    /** Leaves the server, and stops it when nobody else is connected. */
    close() {
      closing ??= close()
      return closing
    },
  }
}
