import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { newDatabaseUrl } from '../../test/database.ts'
import type { Database } from './database.ts'
import { serverUser } from './managed/system-user.ts'
import { openDatabase } from './open.ts'

/** Of the installed PgBouncer, such as [1, 18]; undefined: there is none. */
function versionOf(program: string): readonly [number, number] | undefined {
  try {
    const [, major, minor] =
      /(\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? []
    return [Number(major), Number(minor)]
  } catch {
    return undefined
  }
}

const PROGRAM = process.env.PGBOUNCER ?? 'pgbouncer'
const version = versionOf(PROGRAM)
const keepsStatements = version !== undefined && (version[0] > 1 || version[1] >= 21)

const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A TCP port that leads to a Unix socket, whose folder PgBouncer's user may not enter. */
async function portTo(socket: string): Promise<number> {
  const server = createServer((client) => {
    const onward = connect(socket)
    for (const end of [client, onward]) end.on('error', () => undefined)
    client.pipe(onward).pipe(client)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closers.push(() => server.close())
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}

/** Starts PgBouncer before a new database, in transaction mode. @returns the database's URL through it */
async function startPooler(...settings: readonly string[]): Promise<string> {
  const { hostname, port, username, pathname } = new URL(await newDatabaseUrl())
  const toServer = await portTo(join(decodeURIComponent(hostname), `.s.PGSQL.${port}`))
  const folder = mkdtempSync(join(tmpdir(), 'pooler-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  const config = join(folder, 'pgbouncer.ini')
  writeFileSync(
    config,
    `[databases]
pooled = host=127.0.0.1 port=${toServer} user=${username} dbname=${pathname.slice(1)}
[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
listen_port = 6432
auth_type = any
pool_mode = transaction
${settings.join('\n')}
`,
  )
  // It refuses to run as root.
  const user = serverUser(folder)
  if (user) for (const path of [folder, config]) chownSync(path, user.uid, user.gid)
  const pooler = spawn(PROGRAM, [config], { ...user, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise((done) => pooler.once('exit', done))
  closers.push(() => {
    pooler.kill('SIGKILL')
    return ended
  })
  await new Promise<void>((done, fail) => {
    let log = ''
    pooler.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString()
      if (log.includes('process up')) done()
    })
    void ended.then(() => fail(new Error(`PgBouncer ended: ${log}`)))
  })
  return `postgres://postgres@${encodeURIComponent(folder)}:6432/pooled`
}

async function open(url: string): Promise<Database> {
  const database = await openDatabase({ url }, () => undefined)
  closers.push(database.close)
  return database
}

const IGNORE = 'ignore_startup_parameters = statement_timeout'
const REFUSED =
  /^the connection pooler before the database does not keep prepared statements: use PgBouncer 1\.21 or/

// Without PgBouncer there is nothing to start: Debian has it as `pgbouncer`.
const describeWithPooler = version ? describe : describe.skip
describeWithPooler(`behind PgBouncer ${version?.join('.') ?? '(not installed)'} in transaction mode`, () => {
  test('a start is refused where prepared statements are not kept', async () => {
    const url = await startPooler(IGNORE, ...(keepsStatements ? ['max_prepared_statements = 0'] : []))
    await expect(open(url)).rejects.toThrow(REFUSED)
  })

  test('a start is refused, with the same advice, where our settings of a connection are', async () => {
    await expect(open(await startPooler())).rejects.toThrow(REFUSED)
  })

  const testIfKept = keepsStatements ? test : test.skip
  testIfKept(
    'from 1.21 on, with max_prepared_statements, servers start together, and statements are answered',
    async () => {
      const url = await startPooler(IGNORE, 'max_prepared_statements = 200')
      // Many, since a lock of migrations that one left behind would stop the others.
      await Promise.all(Array.from({ length: 8 }, () => open(url)))
      const database = await open(url)
      const add = { name: 'add', text: 'INSERT INTO setting (key, value) VALUES ($1, $2)', writes: true }
      const read = { name: 'read', text: 'SELECT value FROM setting WHERE key = $1', writes: false }
      const keys = Array.from({ length: 200 }, (_, i) => `key${i}`)
      await Promise.all(keys.map((key) => database.query(add, [key, key])))
      const rows = await Promise.all(keys.map((key) => database.query<{ value: string }>(read, [key])))
      expect(rows.flat().map(({ value }) => value)).toEqual(keys)
    },
  )
})
