import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const CLIENTS = 16

/** A statement of the server as a pgbench script. @param values SQL for $1, $2, …; @param sets pgbench lines before it */
export function script(text: string, values: readonly string[], sets: readonly string[]): string {
  const sql = text
    .split('\n')
    .map((line) => line.replace(/\s*--.*$/, ''))
    .join(' ')
    .replace(/\$(\d+)/g, (_, n: string) => `(${values[Number(n) - 1]})`)
  return `${[...sets, `${sql};`].join('\n')}\n`
}

/**
 * Runs a script in pgbench with prepared statements, on `CLIENTS` connections.
 * @returns transactions a second
 */
export async function pgbench(
  binaries: string,
  url: string,
  folder: string,
  text: string,
  options: { seconds: number; defines: Record<string, number> },
): Promise<number> {
  const file = join(folder, 'script.sql')
  writeFileSync(file, text)
  const { hostname, port, pathname, username } = new URL(url)
  const defines = Object.entries(options.defines).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const { stdout } = await run(
    join(binaries, 'pgbench'),
    [
      ...['-h', decodeURIComponent(hostname), '-p', port, '-U', username, '-n', '-M', 'prepared'],
      ...['-c', String(CLIENTS), '-j', '2', '-T', String(options.seconds), ...defines],
      ...['-f', file, pathname.slice(1)],
    ],
    { maxBuffer: 16 * 1024 * 1024 },
  )
  const tps = /tps = ([\d.]+)/.exec(stdout)?.[1]
  if (!tps || /failed: [1-9]/.test(stdout)) throw new Error(`pgbench: ${stdout}`)
  return Math.round(Number(tps))
}
