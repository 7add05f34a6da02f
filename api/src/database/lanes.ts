import pg from 'pg'
import type { Statement } from './database.ts'

/** Runs one statement on one of a few connections that many callers share. */
export interface Lanes {
  query(statement: Statement, values: readonly unknown[]): Promise<pg.QueryResult>
  stats(): { open: number; idle: number; waiting: number }
  close(): Promise<void>
}

interface Lane {
  client: pg.Client | undefined
  connecting: Promise<pg.Client> | undefined
  /** Statements on their way. */
  load: number
  isGathering: boolean
}

/** Lanes of a kind, and how many statements are on their way on each before the next one is used. */
interface Kind {
  readonly lanes: number
  readonly depth: number
}

/**
 * One lane first: the fuller it is, the more statements share a system call, and server processes that share a core
 * take each other's turn (measured: two half-full lanes answered less, and their slowest hundredth took three times as
 * long). The others are for more than that, and for when a slow statement holds it up.
 */
const READING: Kind = { lanes: 4, depth: 32 }
/** Spread: a commit waits for the disk, and those that wait together are written together. */
const WRITING: Kind = { lanes: 8, depth: 1 }
/** Statements on their way, all lanes together; more are told to come back. */
const MAX_LOAD = 2000

const newLanes = ({ lanes }: Kind): Lane[] =>
  Array.from({ length: lanes }, () => ({
    client: undefined,
    connecting: undefined,
    load: 0,
    isGathering: false,
  }))

const choose = (lanes: readonly Lane[], { depth }: Kind): Lane =>
  lanes.find(({ load }) => load < depth) ??
  lanes.reduce((least, next) => (next.load < least.load ? next : least))

/**
 * Holds back what is sent until this turn of the event loop ends: the statements of all requests that arrived in it leave
 * in one system call instead of one each, which was a sixth of the process's time.
 */
function gather(lane: Lane, client: pg.Client): void {
  if (lane.isGathering) return
  lane.isGathering = true
  const { stream } = client.connection
  stream.cork()
  setImmediate(() => {
    lane.isGathering = false
    stream.uncork()
  })
}

/**
 * Single statements go over a few pipelined connections: the next is sent before the last is answered, so a connection
 * never waits for a round trip. Each is a transaction of its own; transactions of several statements need a connection
 * for themselves and do not come here. Reading has lanes of its own, so that a claim that waits for a lock or for the
 * disk holds up no list. A lane whose connection dies connects anew with the next statement.
 */
export function openLanes(config: pg.ClientConfig, onError: (error: unknown) => void): Lanes {
  const reading = newLanes(READING)
  const writing = newLanes(WRITING)
  const all = [...reading, ...writing]
  let load = 0
  let closed = false

  const connect = (lane: Lane): Promise<pg.Client> => {
    lane.connecting ??= (async () => {
      const client = new pg.Client({ ...config, pipeline: true })
      const forget = () => {
        if (lane.client === client) lane.client = undefined
      }
      client.on('error', (error) => {
        forget()
        onError(error)
      })
      client.on('end', forget)
      try {
        await client.connect()
        lane.client = client
        return client
      } finally {
        lane.connecting = undefined
      }
    })()
    return lane.connecting
  }

  return {
    async query({ name, text, writes }, values) {
      if (closed) throw Object.assign(new Error('the database is closed'), { code: '57P01' })
      if (load >= MAX_LOAD) {
        throw Object.assign(new Error('too many statements wait for the database'), { code: '57P03' })
      }
      const lane = writes ? choose(writing, WRITING) : choose(reading, READING)
      lane.load++
      load++
      try {
        const client = lane.client ?? (await connect(lane))
        gather(lane, client)
        return await client.query({ name, text, values: [...values] })
      } finally {
        lane.load--
        load--
      }
    },
    stats: () => ({
      open: all.filter((lane) => lane.client).length,
      idle: all.filter((lane) => lane.client && lane.load === 0).length,
      waiting: all.reduce((sum, lane) => sum + Math.max(0, lane.load - 1), 0),
    }),
    async close() {
      closed = true
      await Promise.all(all.map((lane) => lane.client?.end()))
    },
  }
}
