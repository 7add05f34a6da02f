import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorCode } from '@anniversary/shared/error-code'
import pg from 'pg'
import type { Database } from '../src/database/database.ts'
import { openManagedServer } from '../src/database/managed/server.ts'
import { migrate } from '../src/database/migrate.ts'
import { openDatabase } from '../src/database/open.ts'
import { partitionTables } from './partitions.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))
const migrations = fileURLToPath(new URL('../migrations', import.meta.url))

function digest(...parts: (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex').slice(0, 12)
}

/** The tests' server stays on the disk between runs, in a short path: a socket lies in it. */
const folder = join(tmpdir(), `anniversary-tests-${userInfo().uid}-${digest(checkout)}`)
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200']
const DUPLICATE_DATABASE = '42P04'
/** `PARTITIONED=1`: every test runs on partitioned tables. */
const isPartitioned = process.env.PARTITIONED === '1'
/** Databases of one run carry its process id, so that a later run finds and drops those of a killed one. */
const prefix = (run: number | string) => `test_${run}_`

/** But for the database's name. */
const urlOf = ({ user, host, port }: pg.ClientConfig) =>
  `postgres://${user}@${encodeURIComponent(String(host))}:${port}/`

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function openServer() {
  const open = () =>
    openManagedServer(folder, { serve: false, settings: SETTINGS, onError: (error) => console.error(error) })
  try {
    return await open()
  } catch {
    // Left by another major version, or spoilt by a power cut.
    rmSync(folder, { recursive: true, force: true })
    return open()
  }
}

/** Starts the one server of a test run, or joins that of another run, and makes the template of its databases. */
export async function startTestServer() {
  const server = await openServer()
  const client = new pg.Client(server.connection)
  await client.connect()
  const drop = async (isOld: (name: string) => boolean) => {
    const { rows } = await client.query<{ name: string }>('SELECT datname AS name FROM pg_database')
    for (const { name } of rows)
      if (isOld(name)) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
  const template = `template_${digest(
    String(isPartitioned),
    ...readdirSync(migrations)
      .sort()
      .map((file) => readFileSync(join(migrations, file))),
  )}`
  await drop((name) => {
    const [kind, run] = name.split('_')
    return kind === 'test' ? !isAlive(Number(run)) : kind === 'template' && name !== template
  })
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template])
  if (rowCount === 0) {
    const unfinished = `${prefix(process.pid)}template`
    await client.query(`CREATE DATABASE ${unfinished}`)
    const migrating = new pg.Client({ ...server.connection, database: unfinished })
    await migrating.connect()
    await migrate(migrating)
    await migrating.end()
    if (isPartitioned) await partitionTables(urlOf(server.connection) + unfinished)
    // Another run may have been quicker.
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`).catch((error: unknown) => {
      if (errorCode(error) !== DUPLICATE_DATABASE) throw error
    })
  }
  process.env.TEST_TEMPLATE = template
  process.env.TEST_RUN = String(process.pid)
  process.env.TEST_SERVER = urlOf(server.connection)
  return {
    async stop() {
      await drop((name) => name.startsWith(prefix(process.pid)))
      await client.end()
      await server.close()
    },
  }
}

/** A new database on the server of the run: empty, and migrated. @returns its URL */
export async function newDatabaseUrl(): Promise<string> {
  const { TEST_SERVER: server, TEST_RUN: run, TEST_TEMPLATE: template } = process.env
  if (!server || !run) throw new Error('no test server: run through Jest, whose global setup starts it')
  const name = prefix(run) + randomBytes(6).toString('hex')
  const client = new pg.Client({ connectionString: `${server}postgres` })
  await client.connect()
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  await client.end()
  return server + name
}

export async function newDatabase(): Promise<Database> {
  return openDatabase({ url: await newDatabaseUrl() }, (error) => console.error(error))
}
