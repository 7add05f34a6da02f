import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../error-code.ts'
import { StartupError } from '../startup-error.ts'

/**
 * PGlite does not stop two processes from writing one folder (electric-sql/pglite#1106), and that destroys it.
 * The lock names its holder by pid and start time: a pid alone is reused by the system, also after a reboot.
 */
export interface DirectoryLock {
  release(): void
}

/** Start time of a process in clock ticks since boot, with the boot's id; 'ended', or '' where the system does not tell. */
function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field, the command in parentheses, may itself hold spaces and parentheses.
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A killed process that nobody has waited for still has its pid and start time, but no files.
    if (state === 'Z' || state === 'X') return 'ended'
    const ticks = rest[18] ?? ''
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${ticks}`
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

function holder(file: string): { pid: number; alive: boolean } | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  const [pidText = '', start = ''] = text.split('\n')
  const pid = Number(pidText)
  if (!Number.isInteger(pid) || pid <= 0) return { pid: 0, alive: false }
  return { pid, alive: isAlive(pid) && (start === '' || processStart(pid) === start) }
}

function create(file: string): boolean {
  try {
    const descriptor = openSync(file, 'wx', 0o600)
    writeSync(descriptor, `${process.pid}\n${processStart(process.pid)}\n`)
    fsyncSync(descriptor)
    closeSync(descriptor)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Takes the lock of a data folder, creating the folder. A lock left by a dead process is taken over.
 * @throws StartupError when a living process holds it
 */
export function lockDirectory(directory: string): DirectoryLock {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = join(directory, 'lock')
  for (let attempt = 0; attempt < 5; attempt++) {
    if (create(file)) {
      let held = true
      return {
        release() {
          if (held) rmSync(file, { force: true })
          held = false
        },
      }
    }
    const found = holder(file)
    if (found?.alive) {
      throw new StartupError(
        `the data folder ${directory} is in use by process ${found.pid}; stop it or set DATA_DIR`,
      )
    }
    // Renaming before removing lets only one of two starting processes take over a dead lock.
    const stale = `${file}.stale-${process.pid}`
    try {
      if (found) renameSync(file, stale)
    } catch {
      continue
    }
    rmSync(stale, { force: true })
  }
  throw new StartupError(`the lock of the data folder ${directory} cannot be taken`)
}
