import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { namedStatement } from '../../src/database/database.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { LIMITS } from '../../src/server/lane.ts'
import { startPostgres } from '../../test/postgres.ts'
import { startApi } from '../api-process.ts'
import { addLedgers } from '../ledgers.ts'
import { seed } from '../members.ts'
import { backendsOf, processorSeconds } from '../processor.ts'
import { check, until } from '../report.ts'
import { type Load, type Loaded, load } from './load.ts'
import type { Costs } from './model.ts'

const REPORTS_KEY = 'reports-key-of-the-proof'
const MEMBERS = 600
/** Lines of the members of each third. */
export const LEDGERS = [0, 300, 2000]
export const LOG_LEVEL = 'info'
const CALM = { connections: 32, seconds: 5 }

export interface Row {
  readonly load: string
  /** 200s a second. */
  readonly answers: number
  /** Beside the calm turns before and after. */
  readonly ratio: number
  readonly p99: number
  readonly refusals: number
  /** Calls, beside calm: the connections bound them. */
  readonly sent: number
  /** 200s a second from the fifth second after, beside calm. */
  readonly after: number
}

type Run = (of: Omit<Load, 'origin' | 'tokens'>, tokens?: readonly string[]) => Promise<Loaded>
type Postgres = Awaited<ReturnType<typeof startPostgres>>

const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, one) => sum + one, 0) / numbers.length

/** Neither admitted nor refused; 0 is a broken connection. */
function countWrong(answers: Loaded['answers']): number {
  const { 200: _admitted, 503: _refused, ...others } = answers
  return Object.values(others).reduce((sum, count) => sum + count, 0)
}

/** Asks /livez and /healthz until `over`; returns how many answers were not 200. */
export async function countUnhealthy(
  origin: string,
  over: AbortSignal,
  limitMs = 6000,
): Promise<number> {
  let unhealthy = 0
  const ask = async (path: string) => {
    const answer = await fetch(origin + path, { signal: AbortSignal.timeout(limitMs) }).catch(
      () => undefined,
    )
    if (answer?.status !== 200) unhealthy++
  }
  do {
    await Promise.all(['/livez', '/healthz'].map(ask))
    await sleep(500)
  } while (!over.aborted)
  return unhealthy
}

/** @param seconds of each load */
export async function loadServer(seconds: number) {
  const files = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }))
  // The server needs some open files itself, and connections for the others.
  const most = Math.min(LIMITS.connections, files) - 300
  check(most >= 15_000, `15,300 files can be open, not ${files} (ulimit -n)`)
  const postgres = await startPostgres()
  const players = await seed(postgres.url, MEMBERS)
  const tokens = players.sort((a, b) => Number(a.id) - Number(b.id)).map(({ token }) => token)
  const groups = await addLedgers(postgres.url, MEMBERS, LEDGERS)
  const tokensByLedger = groups.map(({ first, members }) =>
    tokens.slice(first - 1, first - 1 + members),
  )
  const env = { DATABASE_URL: postgres.url, REPORTS_KEY, LOG_LEVEL }
  const api = await startApi(env)
  const over = new AbortController()
  let wrong = 0
  const run: Run = async (of) => {
    const loaded = await load({ origin: api.origin, tokens, ...of })
    wrong += countWrong(loaded.answers)
    return loaded
  }
  try {
    await run(CALM)
    const watching = countUnhealthy(api.origin, over.signal)
    const first = mean((await run(CALM)).perSecond)
    let calm = first
    const rows: Row[] = []
    const turn = async (name: string, of: Omit<Load, 'origin' | 'tokens' | 'seconds'>) => {
      const { answers, perSecond, p99, sent } = await run({ ...of, seconds })
      const recovered = await run({ ...CALM, seconds: 8 })
      const after = mean(recovered.perSecond.slice(4))
      const hundredths = (ratio: number) => Math.round(ratio * 100) / 100
      const besideCalm = (rate: number) => hundredths(rate / ((calm + after) / 2))
      rows.push({
        load: name,
        answers: Math.round(mean(perSecond)),
        ratio: besideCalm(mean(perSecond)),
        p99,
        refusals: answers[503] ?? 0,
        sent: besideCalm(sent / seconds),
        after: hundredths(after / calm),
      })
      calm = after
    }
    await turn('10,000 connections', { connections: 10_000 })
    await turn(`${most.toLocaleString('en')} connections`, { connections: most })
    for (const times of [2, 5, 10])
      await turn(`${times} × capacity, open loop`, {
        connections: most,
        rate: Math.round(calm * times),
      })
    over.abort()
    const unhealthy = await watching
    const memory = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${api.child.pid}/status`, 'utf8'))?.[1]
    return {
      rows,
      unhealthy,
      wrong,
      /** Calm at the end, beside the start. */
      kept: calm / first,
      memory: Math.round(Number(memory) / 1024),
      costs: await costs(postgres, env, tokensByLedger, most),
    }
  } finally {
    over.abort()
    await api.stop()
    await postgres.stop()
  }
}

/**
 * Seconds of processor, Postgres included. While a lock holds up every answer,
 * the server does nothing but refuse. Behind a proxy it refuses each call at
 * once, as it does the first of a connection.
 */
async function costs(
  postgres: Postgres,
  env: Record<string, string>,
  tokensByLedger: readonly (readonly string[])[],
  most: number,
): Promise<Costs & { byLedger: readonly number[] }> {
  const api = await startApi({ ...env, TRUST_PROXY: '1' })
  const { pid = 0 } = api.child
  const everyone = tokensByLedger.flat()
  const run: Run = (of, tokens = everyone) => load({ origin: api.origin, tokens, ...of })
  const pids = [pid, ...backendsOf(postgres.folder)]
  const cpu = () => processorSeconds(pids)
  await run(CALM)
  const byLedger: number[] = []
  for (const tokens of tokensByLedger) {
    const before = cpu()
    const { answers } = await run(CALM, tokens)
    byLedger.push((cpu() - before) / (answers[200] ?? 0))
  }

  const database = await openPostgres({ connectionString: postgres.url }, () => undefined)
  const refusals = async () => {
    const metrics = await fetch(`${api.origin}/metrics`, {
      headers: { authorization: `Bearer ${REPORTS_KEY}` },
    })
    return Number(/http_requests_refused_total (\d+)/.exec(await metrics.text())?.[1])
  }
  try {
    return await database.transaction(async (tx) => {
      await tx.query(namedStatement('LOCK TABLE member_mission'))
      const first = await refusals()
      const crowd = run({ connections: most, seconds: 6 })
      await until('a first refusal', async () => (await refusals()) !== first)
      const [from, since] = [await refusals(), cpu()]
      await sleep(4000)
      const refusal = (cpu() - since) / ((await refusals()) - from)
      await crowd
      return { answer: mean(byLedger), byLedger, refusal }
    })
  } finally {
    await database.close()
    await api.stop()
  }
}
