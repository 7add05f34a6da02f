import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { newFolder } from '../../../test/folder.ts'
import { killServer } from '../../../test/postgres.ts'
import { findBinaries, linkLibraries, packagedFolder } from './binaries.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { connectOrStart, type ManagedServer, openManagedServer } from './server.ts'
import { serverUser } from './system-user.ts'

// Made once, by two first starts at the same time: each test runs on a copy of it, as the demo's stacks do.
const root = newFolder()
const template = join(root, 'template')
let identities: unknown[]
beforeAll(async () => {
  // What a start leaves that died while it made the database.
  mkdirSync(join(template, 'postgres.unfinished-abc', 'base'), { recursive: true })
  const starts = await Promise.all([open(template, false), open(template, false)])
  identities = await Promise.all(
    starts.map((server) => ask(server, 'SELECT system_identifier FROM pg_control_system()')),
  )
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const servers: ManagedServer[] = []
const clusters: Cluster[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
  for (const cluster of clusters.splice(0)) {
    await cluster.stop()
    cluster.close()
  }
})

let serial = 0
function copy(from = template, to = join(root, `copy${++serial}`)): string {
  cpSync(from, to, { recursive: true, filter: (path) => !statSync(path).isSocket() })
  return to
}

async function open(folder: string, serve = true): Promise<ManagedServer> {
  const server = await openManagedServer(folder, { serve, onError: () => undefined })
  servers.push(server)
  return server
}

/** Looks at a folder's server from outside. */
async function watch(folder: string): Promise<Cluster> {
  const cluster = await openCluster(folder)
  clusters.push(cluster)
  return cluster
}

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

  const command = await open(folder, false)
  const { pid } = await watch(folder)
  const running = pid()
  await server.close()
  expect(pid()).toBe(running)
  await command.close()
  expect(pid()).toBeUndefined()
  expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(false)
})

test('a second API server on the folder is refused in one line', async () => {
  const folder = copy()
  await open(folder)
  await expect(open(folder)).rejects.toThrow(
    `the data folder ${folder} is in use by process ${process.pid}; stop it or set DATA_DIR`,
  )
})

test('of first starts at the same time one makes the database, and all use it', () => {
  expect(identities[0]).toBe(identities[1])
  expect(readdirSync(template).sort()).toEqual(['postgres', 'postgres.log'])
})

test('a server whose starter was killed is adopted', async () => {
  const folder = copy()
  const orphan = await watch(folder)
  await (await connectOrStart(orphan, [])).end()
  const pid = orphan.pid()
  expect(pid).toBeDefined()
  const server = await open(folder)
  expect(orphan.pid()).toBe(pid)
  await server.close()
  expect(orphan.pid()).toBeUndefined()
})

test('a killed server is started again, with all that was committed', async () => {
  const folder = copy()
  const server = await open(folder)
  await ask(server, 'CREATE TABLE kept AS SELECT 7 AS n')
  const cluster = await watch(folder)
  const killed = Number(cluster.pid())
  killServer(killed)
  let answer: unknown
  while (answer !== 7) answer = await ask(server, 'SELECT n FROM kept').catch(() => undefined)
  expect(cluster.pid()).not.toBe(killed)
})

describe('a copied data folder', () => {
  test('of a running server gets a server of its own', async () => {
    const folder = copy()
    const original = await open(folder)
    const twin = await open(copy(folder))
    await ask(twin, 'CREATE TABLE twin ()')
    expect(await ask(original, `SELECT to_regclass('twin')`)).toBeNull()
  })

  test('opens below a path that is longer than a socket may have', async () => {
    const server = await open(copy(template, join(root, 'long'.repeat(40), 'data')))
    expect(await ask(server, 'SELECT 1')).toBe(1)
  })
})

describe('says in one line why it cannot start:', () => {
  test('a folder that is none', async () => {
    const file = join(root, 'file')
    writeFileSync(file, '')
    await expect(open(file)).rejects.toThrow(/^the data folder .*\/file cannot be used: E\w+: /)
  })

  test('another major version', async () => {
    const folder = copy()
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '14\n')
    await expect(open(folder)).rejects.toThrow(
      /^the database was made by Postgres 14, of which this machine has only [ and\d]+; install Postgres 14, or set DATABASE_URL$/,
    )
  })

  test('what Postgres itself says', async () => {
    const folder = copy()
    rmSync(join(folder, 'postgres', 'global', 'pg_control'))
    await expect(open(folder)).rejects.toThrow(
      /^the database in .* does not start: .*could not (open|find).*pg_control/,
    )
  })

  test('no Postgres for the platform', () => {
    expect(() => findBinaries(undefined, undefined, [])).toThrow(
      /^no Postgres 15 or newer runs on this \w+-\w+ machine \(found: none\); install one, or set DATABASE_URL$/,
    )
  })
})

describe('the binaries of the npm package', () => {
  test('are those that start where the machine has none', () => {
    const folder = packagedFolder(serverUser(root)) ?? ''
    expect(findBinaries(serverUser(root), 18, [folder])).toBe(folder)
  })

  test('get the links that npm did not make', () => {
    const native = join(root, 'package', 'native')
    mkdirSync(join(native, 'lib'), { recursive: true })
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
    writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links))
    linkLibraries(native)
    linkLibraries(native)
    expect(readlinkSync(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18')
  })
})
