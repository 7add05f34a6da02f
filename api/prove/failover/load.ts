import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { ApiProcess } from '../api-process.ts'
import type { Observation } from '../claim-history.ts'
import { type Answer, call, claim, type Player, readCodes } from '../members.ts'
import { type Cluster, NODES, query, until } from './cluster.ts'

const CLIENTS = 12

export interface Call extends Answer {
  /** A repeat is answered without a write, so it needs no standby. */
  readonly kind: 'claim' | 'repeat' | 'reading' | 'health'
}

/** A row that one node acknowledged, to a client that goes past HAProxy. */
export interface DirectWrite {
  readonly sentAt: number
  readonly answeredAt: number
  readonly id: string
  readonly node: string
  readonly timeline: string
}

export type Load = Awaited<ReturnType<typeof startLoad>>

/** Members who claim, repeat and read at any of the API processes, and a writer at each node. */
export async function startLoad(cluster: Cluster, apis: readonly ApiProcess[]) {
  const calls: Call[] = []
  const observations: Observation[] = []
  const writes: DirectWrite[] = []
  const toClaim: { player: Player; mission: string }[] = []
  const claimed: typeof toClaim = []
  let isOver = false
  const any = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)]

  async function send<A extends Answer>(kind: Call['kind'], ask: (origin: string) => Promise<A>): Promise<A> {
    const answer = await ask(any(apis)?.origin ?? '')
    calls.push({ ...answer, data: undefined, kind })
    return answer
  }

  /** @returns whether it was acknowledged */
  async function ask({ player, mission }: (typeof toClaim)[number], kind: Call['kind']): Promise<boolean> {
    const { codes, times } = await send(kind, (origin) => claim(origin, player.token, mission))
    observations.push({ kind: 'claim', member: player.account, mission, answer: codes ?? 'lost', ...times })
    return codes !== undefined
  }

  async function read({ player }: (typeof toClaim)[number]) {
    const { codes, times } = await send('reading', (origin) => readCodes(origin, player.token))
    if (codes) observations.push({ kind: 'reading', member: player.account, codes, ...times })
  }

  async function client() {
    while (!isOver) {
      const kind = Math.random()
      const past = any(claimed.slice(-500))
      if (past && kind < 0.1) await read(past)
      else if (past && kind < 0.2) await ask(past, 'repeat')
      else {
        const next = toClaim.pop()
        while (next && !isOver && !(await ask(next, 'claim'))) await sleep(300)
        if (next) claimed.push(next)
      }
      await sleep(100 + Math.random() * 100)
    }
  }

  async function healthCheck() {
    while (!isOver) {
      await send('health', (origin) => call(`${origin}/healthz`, ''))
      await sleep(250)
    }
  }

  async function writer(node: (typeof NODES)[number]) {
    while (!isOver) {
      const direct = new pg.Client({
        connectionString: cluster.urlOf(node),
        connectionTimeoutMillis: 1000,
        query_timeout: 3000,
      })
      direct.on('error', () => undefined)
      try {
        await direct.connect()
        while (!isOver) {
          const sentAt = performance.now()
          const { rows } = await direct.query<{ id: string; timeline: string }>(
            'INSERT INTO direct_write DEFAULT VALUES RETURNING id, left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline',
          )
          for (const row of rows) writes.push({ ...row, node, sentAt, answeredAt: performance.now() })
          await sleep(100)
        }
      } catch {
        // A standby, or a node that is away.
      }
      // `end` would wait for a frozen server.
      direct.connection.stream.destroy()
      await sleep(200)
    }
  }

  await query(cluster.url, 'CREATE TABLE direct_write (id uuid PRIMARY KEY DEFAULT gen_random_uuid())')
  const clients = [...Array.from({ length: CLIENTS }, client), healthCheck(), ...NODES.map(writer)]
  return {
    calls,
    observations,
    writes,
    toClaim,
    /** Waits until a claim is acknowledged that is sent from now on. */
    async acknowledged() {
      const from = performance.now()
      await until('an acknowledged claim', async () =>
        calls
          .slice(-500)
          .some(({ kind, status, times }) => kind === 'claim' && status === 200 && times.sentAt > from),
      )
    },
    async end() {
      isOver = true
      await Promise.all(clients)
    },
  }
}
