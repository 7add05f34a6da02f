import { existsSync, readFileSync } from 'node:fs'
import { childrenOf, serverPid } from '../test/postgres.ts'

/** Clock ticks a second in /proc, the same on every Linux. */
const TICKS = 100

const known = new Map<number, number>()

/** Of a process that has ended, what was read last. */
export function processorSeconds(pids: readonly number[]): number {
  for (const pid of pids) {
    const file = `/proc/${pid}/stat`
    if (!existsSync(file)) continue
    const [user = 0, system = 0] = (readFileSync(file, 'utf8').split(') ')[1] ?? '')
      .split(' ')
      .slice(11, 13)
      .map(Number)
    known.set(pid, (user + system) / TICKS)
  }
  return pids.reduce((sum, pid) => sum + (known.get(pid) ?? 0), 0)
}

export const backendsOf = (folder: string): number[] => childrenOf(Number(serverPid(folder)))
