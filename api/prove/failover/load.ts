import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { ApiProcess } from '../api-process.ts'
import type { Observation } from '../claim-history.ts'
import { type Answer, call, claim, type Player, read } from '../members.ts'
import { type Cluster, NODES, query, until } from './cluster.ts'

const CLIENTS = 12

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
  const answers: Answer[] = []
  const observations: Observation[] = []
  /** Acknowledged, each for the first time: a repeat is answered without a write, so it needs no standby. */
  const claims: Answer[] = []
  const writes: DirectWrite[] = []
  const toClaim: { player: Player; mission: string }[] = []
  const claimed: typeof toClaim = []
  let isOver = false
  const any = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)]

  const origin = () => any(apis)?.origin ?? ''
  const see = <Seen extends Observation & Answer>(one: Seen): Seen => {
    answers.push(one)
    observations.push(one)
    return one
  }
  const ask = async ({ player, mission }: (typeof toClaim)[number]) =>
    see(await claim(origin(), player, mission))

  async function client() {
    while (!isOver) {
      const kind = Math.random()
      const past = any(claimed.slice(-500))
      if (past && kind < 0.1) see(await read(origin(), past.player))
      else if (past && kind < 0.2) await ask(past)
      else {
        const next = toClaim.pop()
        while (next && !isOver) {
          const one = await ask(next)
          if (one.answer === 'lost') await sleep(300)
          else {
            claims.push(one)
            claimed.push(next)
            break
          }
        }
      }
      await sleep(100 + Math.random() * 100)
    }
  }

  async function healthCheck() {
    while (!isOver) {
      const [answer] = await call(`${origin()}/healthz`, '')
      answers.push(answer)
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
    answers,
    observations,
    claims,
    writes,
    toClaim,
    /** Waits until a claim is acknowledged that is sent from now on. */
    async acknowledged() {
      const from = performance.now()
      await until('an acknowledged claim', async () => claims.slice(-500).some(({ sentAt }) => sentAt > from))
    },
    async end() {
      isOver = true
      await Promise.all(clients)
    },
  }
}
