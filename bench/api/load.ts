import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { claimReached } from '@anniversary/api/claim/take-tickets'
import { median, pairedRatio } from '../statistics.ts'
import { CLAIMABLE, HALF, hashSql } from './seed.ts'

/**
 * Node compiles the server's code while it runs, so the first seconds are not
 * measured.
 */
export const WARM_UP_SECONDS = 3
/**
 * Server and pgbench take turns, and the median counts, so that one slow moment
 * of the machine changes little.
 */
export const ROUNDS = 3

export interface LoadResult {
  readonly answers: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** The most claims or lines that were made for one process. */
  readonly used: number
}

/**
 * Sends requests with wrk over keep-alive connections, one at a time on each.
 * @param requests arguments of load.lua
 * @throws Error when there is no answer, or one lacks what load.lua expects of it
 */
export function httpLoad(
  origins: readonly string[],
  connections: number,
  seconds: number,
  requests: readonly (string | number)[],
): LoadResult {
  const options = `-t${origins.length} -c${connections} -d${seconds}s --timeout 10s -s ${join(import.meta.dirname, 'load.lua')}`
  const printed = execFileSync(
    'wrk',
    [...options.split(' '), origins[0] ?? '', '--', ...requests.map(String)],
    {
      env: { ...process.env, ADDRESSES: origins.map((origin) => new URL(origin).host).join() },
      encoding: 'utf8',
    },
  )
  const figures = /^measured\s+(.*)/m.exec(printed)?.[1]?.split(/\s+/).map(Number)
  const [answers = 0, perSecond = Number.NaN, p50 = Number.NaN, p99 = Number.NaN, used = 0] =
    figures ?? []
  return { answers, perSecond, p50: p50 / 1000, p99: p99 / 1000, used }
}

const PGBENCH_CLIENTS = 16

/**
 * Runs a script in pgbench with prepared statements; its variable `k` starts at
 * -1. Returns transactions a second.
 */
export function pgbench(url: string, seconds: number, script: string): number {
  const options = `-n -M prepared -c ${PGBENCH_CLIENTS} -j 2 -T ${seconds} -D k=-1 -f -`
  const { hostname, port, pathname, username } = new URL(url)
  const server = ['-h', decodeURIComponent(hostname), '-p', port, '-U', username, pathname.slice(1)]
  const printed = execFileSync('pgbench', [...options.split(' '), ...server], {
    input: script,
    encoding: 'utf8',
  })
  if (/failed: [1-9]/.test(printed)) throw new Error(`pgbench: ${printed}`)
  return Math.round(Number(/tps = ([\d.]+)/.exec(printed)?.[1]))
}

/**
 * The claim's statement as a pgbench script, for the claimers from `first` on,
 * one part for each client.
 */
export function claimScript(first: number, round: number): string {
  const claimsOfClient = Math.floor((HALF * CLAIMABLE.length) / PGBENCH_CLIENTS / ROUNDS)
  const values = [
    hashSql(':m'),
    '1',
    `(ARRAY['${CLAIMABLE.join("','")}'])[1 + (:i % ${CLAIMABLE.length})::int]`,
    `'2025-08-20T20:00:00+07'`,
    `ARRAY[${Array.from({ length: 6 }, (_, i) => `to_hex(:r::bigint + ${i})`).join(', ')}]`,
  ]
  const statement = claimReached.statement.text
    .replace(/--.*$/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/\$(\d+)/g, (_, n: string) => `(${values[Number(n) - 1]})`)
  return [
    // Each client has members of its own, so that every claim is a first one.
    '\\set k :k + 1',
    `\\if :k >= ${claimsOfClient}`,
    "DO 'BEGIN RAISE ''no claims are left: choose fewer --seconds''; END';",
    '\\endif',
    `\\set i (${round} * ${PGBENCH_CLIENTS} + :client_id) * ${claimsOfClient} + :k`,
    `\\set m ${first} + :i / ${CLAIMABLE.length}`,
    '\\set r random(1, 9000000000000000000)',
    `${statement};\n`,
  ].join('\n')
}

export interface Measured extends LoadResult {
  /** Processor time for each answer. */
  readonly apiMs: number
  readonly postgresMs: number
}

const rounded = (value: number) => Number(value.toPrecision(4))

/** @param beside rates of the same rounds, with which those of the turns are compared */
export function summaryOf(turns: readonly Measured[], beside: readonly number[]) {
  const figures = ['perSecond', 'p50', 'p99', 'apiMs', 'postgresMs'] as const
  const medians = figures.map((key) => [key, rounded(median(turns.map((turn) => turn[key])))])
  const aCpuSecond = turns.map(({ apiMs, postgresMs }) => 1000 / (apiMs + postgresMs))
  const rates = turns.map(({ perSecond }) => perSecond)
  const [ratio, lowest, highest] = pairedRatio(rates, beside).map(rounded)
  return {
    ...Object.fromEntries(medians),
    ratio,
    range: `${lowest} to ${highest}`,
    'answers a CPU second': Math.round(median(aCpuSecond)),
  }
}

/** Runs loads in turns, and compares each with the first. */
export function compareInTurns<Kind>(
  kinds: readonly Kind[],
  seconds: number,
  run: (kind: Kind, seconds: number) => Measured,
) {
  for (const kind of kinds) run(kind, WARM_UP_SECONDS)
  const turns = kinds.map((): Measured[] => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, kind] of kinds.entries()) turns[i]?.push(run(kind, seconds))
  const first = turns[0]?.map(({ perSecond }) => perSecond) ?? []
  return turns.map((of) => summaryOf(of, first))
}
