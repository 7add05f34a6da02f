import { errorCode } from '@anniversary/shared/error-code'
import pg from 'pg'
import type { Statement } from './database.ts'

interface Connection {
  client: pg.Client | undefined
  connecting: Promise<pg.Client> | undefined
  /** Statements that are sent and not answered. */
  pending: number
  isCorked: boolean
}

/**
 * One connection first: the fuller it is, the more statements share a system call, and server processes that share a
 * core preempt each other (measured: two half-full connections answered less, and their p99 was three times as long).
 * The others are for more than `pending` statements at once, and for when a slow one holds up the first.
 */
const READING = { connections: 4, pending: 32 }
/** Spread: a commit waits for the disk, and those that wait together are written together. */
const WRITING = { connections: 8, pending: 1 }
/** SQLSTATE of a write on a server that only reads, such as the old primary after a failover. */
export const READ_ONLY = '25006'
/** Statements of all connections that may wait; more are refused. */
const MAX_PENDING = 2000

const open = (count: number): Connection[] =>
  Array.from({ length: count }, () => ({
    client: undefined,
    connecting: undefined,
    pending: 0,
    isCorked: false,
  }))

/** The first that has room, else the least busy one. */
const choose = (connections: readonly Connection[], room: number): Connection =>
  connections.find(({ pending }) => pending < room) ??
  connections.reduce((least, next) => (next.pending < least.pending ? next : least))

/**
 * Sends what one turn of the event loop asks for in one system call instead of one for each statement, which was a sixth
 * of the process's time.
 */
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
 * A few connections that all callers share; each sends the next statement before the last is answered, and is opened when
 * it is first needed. A statement is a transaction of its own; transactions of
 * several statements need a connection for themselves and do not come here. Reads and writes have separate ones, so
 * that a claim that waits for a lock or for the disk holds up no list. After a connection dies the next statement
 * connects anew.
 */
export function openPipelined(config: pg.ClientConfig, onError: (error: unknown) => void) {
  const reading = open(READING.connections)
  const writing = open(WRITING.connections)
  const all = [...reading, ...writing]
  let pending = 0
  let closed = false

  const connect = (connection: Connection): Promise<pg.Client> => {
    connection.connecting ??= (async () => {
      const client = new pg.Client({ ...config, pipeline: true })
      const forget = () => {
        if (connection.client === client) connection.client = undefined
      }
      client.on('error', (error) => {
        forget()
        onError(error)
      })
      client.on('end', forget)
      try {
        await client.connect()
        connection.client = client
        return client
      } finally {
        connection.connecting = undefined
      }
    })()
    return connection.connecting
  }
  /** The next statements connect anew: by now the server's name may lead to another. */
  const leave = () => {
    for (const connection of all) {
      connection.client?.end().catch(onError)
      connection.client = undefined
    }
  }

  return {
    async query({ name, text, writes }: Statement, values: readonly unknown[]) {
      if (closed) throw Object.assign(new Error('the database is closed'), { code: '57P01' })
      if (pending >= MAX_PENDING) {
        throw Object.assign(new Error('too many statements wait for the database'), { code: '57P03' })
      }
      const connection = writes ? choose(writing, WRITING.pending) : choose(reading, READING.pending)
      connection.pending++
      pending++
      try {
        const client = connection.client ?? (await connect(connection))
        cork(connection, client)
        return await client.query({ name, text, values: [...values] })
      } catch (error) {
        if (errorCode(error) === READ_ONLY) leave()
        throw error
      } finally {
        connection.pending--
        pending--
      }
    },
    stats: () => ({
      open: all.filter(({ client }) => client).length,
      idle: all.filter(({ client, pending }) => client && pending === 0).length,
      waiting: all.reduce((sum, { pending }) => sum + Math.max(0, pending - 1), 0),
    }),
    async close() {
      closed = true
      const ended = all.map(async ({ client, connecting }) =>
        (client ?? (await connecting?.catch(() => undefined)))?.end(),
      )
      await Promise.all(ended)
    },
  }
}
