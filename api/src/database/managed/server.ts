import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import pg from 'pg'
import { StartupError } from '../../startup-error.ts'
import { type Cluster, openCluster } from './cluster.ts'

export type ManagedServer = Awaited<ReturnType<typeof openManagedServer>>

/** A server that recovers a long log may take a while; the next start finds it further. */
const START_MS = 30_000
const CONNECT_MS = 5000
const RETRY_MS = 20
const RESTART_MS = 1000
const USERS = 20_250_801

/** No server listens, or it has just died. */
const isAbsent = (error: unknown) =>
  [undefined, 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(errorCode(error))
const isBusy = (error: unknown) => /^57P0/.test(errorCode(error) ?? '')
/** Another process has just started a server here, or the last children of a killed one are still ending. */
const RACE = /lock file .* already exists|shared memory block|unexpected postmaster exit/

async function connect(cluster: Cluster): Promise<pg.Client> {
  const client = new pg.Client({
    ...cluster.connection,
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`SELECT pg_advisory_lock_shared(${USERS})`)
  return client
}

export async function connectOrStart(cluster: Cluster, settings: readonly string[]): Promise<pg.Client> {
  const giveUpAt = Date.now() + START_MS
  for (;;) {
    try {
      return await connect(cluster)
    } catch (error) {
      const failure = isAbsent(error) ? await cluster.start(settings) : errorMessage(error)
      if (failure === undefined) continue
      if ((!isBusy(error) && !RACE.test(failure)) || Date.now() > giveUpAt) {
        const remedy = failure.includes('postmaster.pid')
          ? `; if no other Postgres runs on that folder, remove ${cluster.folder}/postmaster.pid`
          : ''
        throw new StartupError(`the database in ${cluster.folder} does not start: ${failure}${remedy}`, {
          cause: error,
        })
      }
      await sleep(RETRY_MS)
    }
  }
}

/** @returns true for the last user */
async function leave(keeper: pg.Client): Promise<boolean> {
  await keeper.query(`SELECT pg_advisory_unlock_shared(${USERS})`)
  const { rows } = await keeper.query(`SELECT pg_try_advisory_lock(${USERS}) AS "isLast"`)
  return rows[0].isLast
}

/**
 * Connects to the Postgres of a data folder, starts one where none runs, and starts it again when it dies. An API server
 * that was killed has left its own running. One connection is kept for as long as this process uses the server.
 * @throws StartupError
 */
export async function openManagedServer(
  dataDir: string,
  onError: (error: unknown) => void,
  settings: readonly string[] = [],
) {
  const cluster = await openCluster(dataDir).catch((error: unknown) => {
    if (error instanceof StartupError || !/^E[A-Z]+$/.test(errorCode(error) ?? '')) throw error
    throw new StartupError(`the data folder ${dataDir} cannot be used: ${errorMessage(error)}`, {
      cause: error,
    })
  })
  let keeper: pg.Client | undefined
  let restarting: Promise<void> | undefined
  let closing: Promise<void> | undefined

  const join = async () => {
    const client = await connectOrStart(cluster, settings)
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
    const isLast = !client || (await leave(client).catch(() => false))
    await client?.end()
    if (isLast) await cluster.stop()
  }

  await join()
  return {
    connection: cluster.connection,
    /** Leaves the server, and stops it when nobody else uses it. */
    close() {
      closing ??= close()
      return closing
    },
  }
}
