import { setTimeout as sleep } from 'node:timers/promises'
import { MISSION_CODES } from '@anniversary/shared/contract/event'
import { historyData } from '@anniversary/shared/contract/wire'
import pg from 'pg'
import type { ApiProcess } from '../api-process.ts'
import type { Observation } from '../claim-history.ts'
import type { Player } from '../members.ts'
import { type Cluster, NODES, until } from './cluster.ts'

const CLIENTS = 12

/** One answer, or its absence. Times are of `performance.now()`. */
export interface Call {
  readonly kind: 'claim' | 'reading' | 'health'
  readonly sentAt: number
  readonly answeredAt: number
  /** 0: no answer; 'cut': its API process was killed. */
  readonly status: number | 'cut'
  /** What a 503 owes: `retry-after` and a sentence. */
  readonly retryAfter: string | null
  readonly message: string | undefined
}

/** A row that a node has acknowledged to a client which goes past HAProxy. */
export interface DirectWrite {
  readonly id: string
  readonly node: string
  readonly timeline: string
  readonly sentAt: number
  readonly answeredAt: number
}

type Envelope = { readonly status_code: number; readonly message?: string; readonly data: unknown }

export type Load = Awaited<ReturnType<typeof startLoad>>

/**
 * Members who claim, repeat and read at any of the API processes, and a writer at each Postgres itself.
 * @param apis those that run; a fault removes one before it is killed
 */
export async function startLoad(cluster: Cluster, apis: ApiProcess[]) {
  const calls: Call[] = []
  const observations: Observation[] = []
  const writes: DirectWrite[] = []
  const open: { player: Player; mission: string }[] = []
  const claimed: typeof open = []
  let isOver = false

  const any = <T>(of: readonly T[]) => of[Math.floor(Math.random() * of.length)]

  async function send(kind: Call['kind'], path: string, token = '', body?: object) {
    const api = any(apis)
    const sentAt = performance.now()
    let response: Response | undefined
    let envelope: Envelope | undefined
    try {
      response = await fetch(`${api?.origin}${path}`, {
        headers: { 'x-sign-key': token, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(60_000),
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      envelope = (await response.json()) as Envelope // of every answer
    } catch {
      response = undefined
    }
    const answeredAt = performance.now()
    const status = response?.status ?? (api && apis.includes(api) ? 0 : 'cut')
    const retryAfter = response?.headers.get('retry-after') ?? null
    calls.push({ kind, sentAt, answeredAt, status, retryAfter, message: envelope?.message })
    return {
      sentAt,
      answeredAt,
      data: status === 200 && envelope?.status_code === 200 ? envelope.data : undefined,
    }
  }

  /** @returns whether it was acknowledged */
  async function claim({ player, mission }: (typeof open)[number]): Promise<boolean> {
    const path = `/api/client/take-code?event_code_detail=${mission}`
    const { data, ...times } = await send('claim', path, player.token, { event_code_detail: mission })
    // The two shapes of takeCodeData (contract/wire.ts).
    const codes = Array.isArray(data) ? (data as string[]) : (data as { code: string[] } | undefined)?.code
    observations.push({ kind: 'claim', member: player.account, mission, answer: codes ?? 'lost', ...times })
    return codes !== undefined
  }

  async function read({ player }: (typeof open)[number]) {
    const { data, ...times } = await send('reading', '/api/client/history', player.token)
    if (data === undefined) return
    const codes = new Map(
      historyData.parse(data).code_details.map((each) => [each.event_code_detail, each.code]),
    )
    observations.push({ kind: 'reading', member: player.account, codes, ...times })
  }

  async function client() {
    while (!isOver) {
      const kind = Math.random()
      const past = any(claimed.slice(-500))
      if (past && kind < 0.1) await read(past)
      else if (past && kind < 0.2) await claim(past)
      else {
        const next = open.shift()
        // As a member's screen does, it asks again until it is answered.
        while (next && !isOver && !(await claim(next))) await sleep(300)
        if (next) claimed.push(next)
      }
      await sleep(100 + Math.random() * 100)
    }
  }

  async function healthCheck() {
    while (!isOver) {
      await send('health', '/healthz')
      await sleep(250)
    }
  }

  /** Writes to a node past HAProxy, and notes on which timeline. */
  async function writer(node: (typeof NODES)[number]) {
    const connection = {
      connectionString: cluster.urlOf(node),
      connectionTimeoutMillis: 1000,
      query_timeout: 3000,
    }
    while (!isOver) {
      const direct = new pg.Client(connection)
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

  const setUp = new pg.Client(cluster.url)
  await setUp.connect()
  await setUp.query('CREATE TABLE direct_write (id uuid PRIMARY KEY DEFAULT gen_random_uuid())')
  await setUp.end()
  const clients = [...Array.from({ length: CLIENTS }, client), healthCheck(), ...NODES.map(writer)]

  return {
    calls,
    observations,
    writes,
    /** Adds members whose claims come next. */
    add(players: readonly Player[]) {
      for (const player of players) open.push(...MISSION_CODES.map((mission) => ({ player, mission })))
    },
    /** Claims that nobody has asked for yet. */
    left: () => open.length,
    /** Waits until a claim is acknowledged that is sent from now on. */
    async acknowledged() {
      const from = performance.now()
      await until('claims are acknowledged again', 120, async () =>
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
