import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { ApiProcess } from '../api-process.ts'
import { any, startClients } from '../clients.ts'
import { call } from '../members.ts'
import { until } from '../report.ts'
import { type Cluster, NODES, query } from './cluster.ts'

/** A row that one node acknowledged to a client without HAProxy. */
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
  const clients = startClients(() => any(apis).origin)
  const { answers, claims } = clients
  const writes: DirectWrite[] = []

  async function healthCheck() {
    while (!clients.isOver()) {
      const [answer] = await call(`${any(apis).origin}/healthz`, '')
      answers.push(answer)
      await sleep(250)
    }
  }

  async function writer(node: (typeof NODES)[number]) {
    while (!clients.isOver()) {
      const direct = new pg.Client({
        connectionString: cluster.urlOf(node),
        connectionTimeoutMillis: 1000,
        query_timeout: 3000,
      })
      direct.on('error', () => undefined)
      try {
        await direct.connect()
        while (!clients.isOver()) {
          const sentAt = performance.now()
          const { rows } = await direct.query<{ id: string; timeline: string }>(
            'INSERT INTO direct_write DEFAULT VALUES RETURNING id, left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline',
          )
          for (const row of rows) writes.push({ ...row, node, sentAt, answeredAt: performance.now() })
          await sleep(100)
        }
      } catch {
        // The node is a standby or away.
      }
      // `end` would wait for a frozen server.
      direct.connection.stream.destroy()
      await sleep(200)
    }
  }

  await query(cluster.url, 'CREATE TABLE direct_write (id uuid PRIMARY KEY DEFAULT gen_random_uuid())')
  const others = [healthCheck(), ...NODES.map(writer)]
  return {
    ...clients,
    writes,
    /** Waits until a claim that is sent from now on is acknowledged. */
    async acknowledged() {
      const from = performance.now()
      await until('an acknowledged claim', async () => claims.slice(-500).some(({ sentAt }) => sentAt > from))
    },
    async end() {
      await clients.end()
      await Promise.all(others)
    },
  }
}
