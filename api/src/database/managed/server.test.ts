import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { newFolder } from '../../../test/folder.ts'
import { killServer, serverPid } from '../../../test/postgres.ts'
import { findBinaries, packagedFolder } from './binaries.ts'
import { firstCause, openCluster, serverUser } from './cluster.ts'
import { type ManagedServer, openManagedServer } from './server.ts'

/** What `initdb` writes on a full disk. */
const FULL_DISK = `fixing permissions on existing directory /data ... ok
running bootstrap script ... 2026-11-22 14:23:18.514 UTC [31960] FATAL:  could not extend file "base/1/2691": No space left on device
2026-11-22 14:23:18.514 UTC [31960] HINT:  Check free disk space.
2026-11-22 14:23:18.514 UTC [31960] PANIC:  cannot abort transaction 1, it was already committed
Aborted
child process exited with exit code 134
initdb: removing contents of data directory "/data"`

// Made once, by two first starts at the same time: each test runs on a copy of it, as the demo's stacks do.
const root = newFolder()
const template = join(root, 'template')
let identities: unknown[]
beforeAll(async () => {
  const starts = await Promise.all([open(template), open(template)])
  identities = await Promise.all(
    starts.map((server) => ask(server, 'SELECT system_identifier FROM pg_control_system()')),
  )
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const servers: ManagedServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

let serial = 0
function copy(): string {
  const to = join(root, `copy${++serial}`)
  cpSync(template, to, { recursive: true })
  return to
}

async function open(folder: string): Promise<ManagedServer> {
  const server = await openManagedServer(folder, () => undefined)
  servers.push(server)
  return server
}

/** Process of a data folder's server. */
const pidIn = (folder: string) => serverPid(join(folder, 'postgres'))

async function ask(server: Pick<ManagedServer, 'connection'>, text: string): Promise<unknown> {
  const client = new pg.Client(server.connection)
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows[0]?.[0]
  } finally {
    await client.end()
  }
}

test('is reached by its owner alone, writes to the disk, and ends with the last who uses it', async () => {
  const folder = copy()
  const server = await open(folder)
  expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700)
  expect(existsSync(join(folder, 'postgres', '.s.PGSQL.5432'))).toBe(true)
  for (const [setting, value] of [
    ['listen_addresses', ''],
    ['fsync', 'on'],
    ['synchronous_commit', 'on'],
    ['full_page_writes', 'on'],
    ['autovacuum', 'on'],
  ])
    expect([setting, await ask(server, `SHOW ${setting}`)]).toEqual([setting, value])

  const command = await open(folder)
  const running = pidIn(folder)
  await server.close()
  expect(pidIn(folder)).toBe(running)
  await command.close()
  expect(pidIn(folder)).toBeUndefined()
  expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(false)
})

test('of first starts at the same time one makes the database, and all use it', () => {
  expect(identities[0]).toBe(identities[1])
  expect(readdirSync(template).sort()).toEqual(['postgres', 'postgres.log'])
})

test('a server whose starter was killed is used by the next start', async () => {
  const folder = copy()
  expect(await (await openCluster(folder)).start([])).toBeUndefined()
  const pid = pidIn(folder)
  expect(pid).toBeDefined()
  const server = await open(folder)
  expect(pidIn(folder)).toBe(pid)
  await server.close()
  expect(pidIn(folder)).toBeUndefined()
})

test('a killed server is started again, with all that was committed', async () => {
  const folder = copy()
  const server = await open(folder)
  await ask(server, 'CREATE TABLE kept AS SELECT 7 AS n')
  const killed = Number(pidIn(folder))
  killServer(killed)
  let answer: unknown
  while (answer !== 7) answer = await ask(server, 'SELECT n FROM kept').catch(() => undefined)
  expect(pidIn(folder)).not.toBe(killed)
})

describe('says in one line why it cannot start:', () => {
  /** A copy of the template, changed. */
  const damaged = (damage: (postgres: string) => void) => {
    const folder = copy()
    damage(join(folder, 'postgres'))
    return folder
  }

  test.each<[string, () => string, RegExp]>([
    [
      'a folder that is none',
      () => join(import.meta.dirname, 'server.ts'),
      /^the data folder .*server\.ts cannot be used: E\w+: /,
    ],
    [
      'a path too long for a socket',
      () => join(root, 'long'.repeat(25)),
      /^the path of .*longlong\/postgres is too long for a socket; set DATA_DIR to a shorter one$/,
    ],
    [
      'another major version',
      () => damaged((postgres) => writeFileSync(join(postgres, 'PG_VERSION'), '14\n')),
      /^no Postgres 14, which made the database, runs on this \S+ machine \(found: [ and\d]+\); install one, or set DATABASE_URL$/,
    ],
    [
      'an emptied folder',
      () =>
        damaged((postgres) => {
          rmSync(postgres, { recursive: true })
          mkdirSync(postgres)
        }),
      /^\S*\/postgres holds no database \(\S+PG_VERSION is missing or empty\); put its content back, or remove the folder to begin anew$/,
    ],
    [
      'a lock file that is spoilt',
      () => damaged((postgres) => writeFileSync(join(postgres, 'postmaster.pid'), 'x')),
      /^the database in (\S+) does not start: .*postmaster.pid.*; if no other Postgres runs on that folder, remove \1\/postmaster.pid$/,
    ],
    [
      'what Postgres itself says',
      () => damaged((postgres) => rmSync(join(postgres, 'global', 'pg_control'))),
      /^the database in \S+ does not start: .*could not (open|find).*pg_control/,
    ],
  ])('%s', async (_what, folder, message) => {
    const error: unknown = await open(folder()).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'StartupError', message: expect.stringMatching(message) })
    expect(String(error)).not.toContain('\n')
  })

  test('the first failure of several, which the others follow from', () => {
    expect(firstCause(FULL_DISK)).toBe('could not extend file "base/1/2691": No space left on device')
  })
})

test('the binaries of the npm package are those that start where the machine has none', () => {
  const folder = packagedFolder(serverUser(root)) ?? ''
  expect(findBinaries(serverUser(root), 18, [folder])).toBe(folder)
})
