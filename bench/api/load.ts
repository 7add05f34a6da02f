import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export interface LoadResult {
  readonly answers: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Claims that one process has had. */
  readonly claims: number
}

/**
 * Sends requests with wrk over keep-alive connections, one at a time on each.
 * @param requests arguments of load.lua
 * @throws Error when an answer has another `status_code` than the request
 * expects
 */
export function httpLoad(
  origins: readonly string[],
  connections: number,
  seconds: number,
  requests: readonly (string | number)[],
): LoadResult {
  const options = `-t${origins.length} -c${connections} -d${seconds}s -s ${join(import.meta.dirname, 'load.lua')}`
  const printed = execFileSync(
    'wrk',
    [...options.split(' '), origins[0] ?? '', '--', ...requests.map(String)],
    {
      env: { ...process.env, ADDRESSES: origins.map((origin) => new URL(origin).host).join() },
      encoding: 'utf8',
    },
  )
  const figures = /^measured\s+(.*)/m.exec(printed)?.[1]?.split(/\s+/).map(Number)
  const [answers = 0, perSecond = Number.NaN, p50 = Number.NaN, p99 = Number.NaN, claims = 0] =
    figures ?? []
  return { answers, perSecond: Math.round(perSecond), p50: p50 / 1000, p99: p99 / 1000, claims }
}

export const PGBENCH_CLIENTS = 16

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
