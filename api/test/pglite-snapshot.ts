import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  openAsBlob,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { migrate } from '../src/database/migrate.ts'

const cache = fileURLToPath(new URL('../../node_modules/.cache/anniversary-api', import.meta.url))
const migrations = fileURLToPath(new URL('../migrations', import.meta.url))
const manifest = fileURLToPath(new URL('../package.json', import.meta.url))

/** Where the dump of an empty, migrated database lies, for this version of the engine and these migrations. */
function snapshotPath(): string {
  const hash = createHash('sha256').update(
    JSON.parse(readFileSync(manifest, 'utf8')).dependencies['@electric-sql/pglite'],
  )
  for (const file of readdirSync(migrations).sort()) hash.update(readFileSync(join(migrations, file)))
  return join(cache, `pglite-${hash.digest('hex').slice(0, 16)}.tar`)
}

/** Makes the dump, once for all test files and later runs. */
export async function preparePgliteSnapshot(): Promise<void> {
  const path = snapshotPath()
  if (existsSync(path)) return
  mkdirSync(cache, { recursive: true })
  const engine = await PGlite.create()
  const client = new pg.Client(createPgConfig(engine))
  await client.connect()
  await migrate(client)
  const dump = await engine.dumpDataDir('none')
  await client.end()
  await engine.close()
  // Two test runs may prepare it at once; a rename is whole.
  const own = `${path}.${process.pid}`
  writeFileSync(own, Buffer.from(await dump.arrayBuffer()))
  renameSync(own, path)
}

/** The dump for `openDatabase`, or undefined when none was prepared. */
export async function pgliteSnapshot(): Promise<Blob | undefined> {
  const path = snapshotPath()
  return existsSync(path) ? openAsBlob(path) : undefined
}
