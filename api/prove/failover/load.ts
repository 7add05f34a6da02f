import { setTimeout as sleep } from 'node:timers/promises'
import { historyData } from '@anniversary/shared/contract/wire'
import pg from 'pg'
import type { ApiProcess } from '../api-process.ts'
import type { Observation } from '../claim-history.ts'
import type { Player } from '../members.ts'
import { type Cluster, NODES, query, until } from './cluster.ts'

const CLIENTS = 12

/** When something was sent and answered, of `performance.now()`. */
interface Times {
  readonly sentAt: number
  readonly answeredAt: number
}

export interface Call extends Times {
  readonly kind: 'claim' | 'reading' | 'health'
  /** 0: no answer, although its API process lived; 'cut off': that was killed. */
  readonly status: number | 'cut off'
  /** It says in a sentence what is wrong, and in `retry-after` when to ask again. */
  readonly isExplained: boolean
}

/** A row that one node acknowledged, to a client that goes past HAProxy. */
export interface DirectWrite extends Times {
  readonly id: string
  readonly node: string
  readonly timeline: string
}

export type Load = Awaited<ReturnType<typeof startLoad>>

/**
 * Members who claim, repeat and read at any of the API processes, and a writer at each node.
 * @param apis those that run: a fault takes one out before it kills it
 */
export async function startLoad(cluster: Cluster, apis: readonly ApiProcess[]) {
  const calls: Call[] = []
  const observations: Observation[] = []
  const writes: DirectWrite[] = []
  const toClaim: { player: Player; mission: string }[] = []
  const claimed: typeof toClaim = []
  let isOver = false
  const any = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)]

  async function send(kind: Call['kind'], path: string, token: string, body?: object) {
    const api = any(apis)
    const sentAt = performance.now()
    let status: Call['status'] = 0
    let isExplained = false
    let data: unknown
    try {
      const response = await fetch(`${api?.origin}${path}`, {
        signal: AbortSignal.timeout(60_000),
        headers: { 'x-sign-key': token, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      const envelope = (await response.json()) as { status_code: number; message?: string; data: unknown } // of every answer
      status = response.status
      isExplained = response.headers.has('retry-after') && !!envelope.message
      if (envelope.status_code === 200) data = envelope.data
    } catch {
      if (api && !apis.includes(api)) status = 'cut off'
    }
    const times = { sentAt, answeredAt: performance.now() }
    calls.push({ kind, status, isExplained, ...times })
    return { data, times }
  }

  /** @returns whether it was acknowledged */
  async function claim({ player, mission }: (typeof toClaim)[number]): Promise<boolean> {
    const path = `/api/client/take-code?event_code_detail=${mission}`
    const { data, times } = await send('claim', path, player.token, { event_code_detail: mission })
    // The two shapes of takeCodeData (contract/wire.ts).
    const codes = Array.isArray(data) ? (data as string[]) : (data as { code: string[] } | undefined)?.code
    observations.push({ kind: 'claim', member: player.account, mission, answer: codes ?? 'lost', ...times })
    return codes !== undefined
  }

  async function read({ player }: (typeof toClaim)[number]) {
    const { data, times } = await send('reading', '/api/client/history', player.token)
    if (data === undefined) return
    const codes = historyData
      .parse(data)
      .code_details.map((each) => [each.event_code_detail, each.code] as const)
    observations.push({ kind: 'reading', member: player.account, codes: new Map(codes), ...times })
  }

  async function client() {
    while (!isOver) {
      const kind = Math.random()
      const past = any(claimed.slice(-500))
      if (past && kind < 0.1) await read(past)
      else if (past && kind < 0.2) await claim(past)
      else {
        const next = toClaim.pop()
        while (next && !isOver && !(await claim(next))) await sleep(300)
        if (next) claimed.push(next)
      }
      await sleep(100 + Math.random() * 100)
    }
  }

  async function healthCheck() {
    while (!isOver) {
      await send('health', '/healthz', '')
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
          .some(({ kind, status, sentAt }) => kind === 'claim' && status === 200 && sentAt > from),
      )
    },
    async end() {
      isOver = true
      await Promise.all(clients)
    },
  }
}
