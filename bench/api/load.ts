import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface LoadResult {
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
 * @throws Error when an answer is not `status_code` 200
 */
export async function httpLoad(
  origins: readonly string[],
  connections: number,
  seconds: number,
  requests: readonly (string | number)[],
): Promise<LoadResult> {
  const options = [
    `-t${origins.length}`,
    `-c${connections}`,
    `-d${seconds}s`,
    '-s',
    join(import.meta.dirname, 'load.lua'),
  ]
  const { stdout } = await run('wrk', [...options, origins[0] ?? '', '--', ...requests.map(String)], {
    env: { ...process.env, ADDRESSES: origins.map((origin) => new URL(origin).host).join() },
  })
  const [perSecond = 0, p50 = 0, p99 = 0, claims = 0] = (/^measured\s+(.*)/m.exec(stdout)?.[1] ?? '')
    .split(/\s+/)
    .map(Number)
  if (!perSecond) throw new Error(`wrk: ${stdout}`)
  return { perSecond: Math.round(perSecond), p50: p50 / 1000, p99: p99 / 1000, claims }
}
