import { types } from 'node:util'
import { errorCode } from '@anniversary/shared/error-code'
import pg from 'pg'
import { LOST, SILENT, type Statement } from './database.ts'

interface Connection {
  client: Promise<pg.Client> | undefined
  pending: number
  isCorked: boolean
}

/**
 * The fuller a connection, the more statements share a system call. A slow
 * statement holds up only those behind it on its own connection.
 */
const READING = { connections: 4, pending: 32 }
/**
 * Spread over the connections, since Postgres flushes waiting commits together.
 */
const WRITING = { connections: 8, pending: 1 }
/** SQLSTATE of a write on a server that only reads, such as an old primary. */
export const READ_ONLY = '25006'

export function withSqlState(error: unknown): unknown {
  // By shape, since `instanceof Error` fails across realms.
  if (!types.isNativeError(error)) return error
  if (error instanceof pg.DatabaseError || error.name === 'TypeError') return error
  // The driver's time-outs have a message and no code.
  const isSilent = /^(query read timeout|timeout expired)$/i.test(error.message)
  return Object.assign(error, { code: isSilent ? SILENT : LOST })
}

const open = (count: number): Connection[] =>
  Array.from({ length: count }, () => ({ client: undefined, pending: 0, isCorked: false }))

const choose = (connections: readonly Connection[], room: number): Connection =>
  connections.find(({ pending }) => pending < room) ??
  connections.reduce((least, next) => (next.pending < least.pending ? next : least))

/** Sends all statements of one turn of the event loop in one system call. */
function cork(connection: Connection, client: pg.Client): void {
  if (connection.isCorked) return
  connection.isCorked = true
  const { stream } = client.connection
  stream.cork()
  setImmediate(() => {
    connection.isCorked = false
    stream.uncork()
  })
}

/**
 * Opens a few connections that all callers share; each statement is its own
 * transaction. Reads and writes have separate ones, so that a claim that waits
 * does not hold up a list. Dead connections are opened again.
 */
export function openPipelined(config: pg.ClientConfig, onError: (error: unknown) => void) {
  const reading = open(READING.connections)
  const writing = open(WRITING.connections)
  const all = [...reading, ...writing]
  let closed = false

  const connect = (connection: Connection): Promise<pg.Client> => {
    const client = new pg.Client({ ...config, pipeline: true })
    const opening = client.connect().then(() => client)
    const forget = () => {
      if (connection.client === opening) connection.client = undefined
    }
    client.on('error', (error) => {
      forget()
      onError(error)
    })
    client.on('end', forget)
    opening.catch(forget)
    connection.client = opening
    return opening
  }
  /** The server's name may lead to another server by now. */
  const leave = () => {
    for (const connection of all) {
      connection.client?.then((client) => client.end()).catch(onError)
      connection.client = undefined
    }
  }

  return {
    openAll: () => Promise.allSettled(all.map(connect)),
    async query({ name, text, writes }: Statement, values: readonly unknown[]) {
      if (closed) throw withSqlState(new Error('the database is closed'))
      const connection = writes
        ? choose(writing, WRITING.pending)
        : choose(reading, READING.pending)
      connection.pending++
      try {
        const client = await (connection.client ?? connect(connection))
        cork(connection, client)
        return await client.query({ name, text, values: [...values] })
      } catch (error) {
        if (errorCode(error) === READ_ONLY) leave()
        throw withSqlState(error)
      } finally {
        connection.pending--
      }
    },
    waiting: () => all.reduce((sum, { pending }) => sum + Math.max(0, pending - 1), 0),
    async close() {
      closed = true
      await Promise.all(
        all.map(async ({ client }) => (await client?.catch(() => undefined))?.end()),
      )
    },
  }
}
