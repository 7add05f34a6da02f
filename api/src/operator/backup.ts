import { type Queryable, rowOf, rowsOf, type Statement, statement } from '../database/database.ts'
import { pagesOf } from '../database/pages.ts'
import type { Peppers } from '../rules/credentials.ts'
import { verifyIn } from './verify.ts'

/*
 * A backup is text, a line for each page of a table, read in one snapshot:
 *   {"backup":1,"schema":"0005_operator","takenAt":"…"}
 *   member <TAB> [{…},{…}]
 *   …
 *   end <TAB> {"member":"2 rows, sum 123",…}
 * The rows are JSON as Postgres writes and reads it: nothing between the two databases parses a number or a time.
 */

/** Tables in the order that their references ask for. Limits, failed logins and pages' reports stay behind. */
export const TABLES = [
  'setting',
  'member',
  'member_address',
  'session',
  'mission',
  'activity',
  'stage_activity',
  'member_mission',
  'claim_refusal',
  'stage_tickets',
  'ticket',
  'early_code',
  'draw_result',
  'giftcode_trade',
  'audit',
] as const
type Table = (typeof TABLES)[number]

/** Not compared and not replaced: a database keeps what was audited in it. */
const KEPT: Table = 'audit'
const COMPARED = TABLES.filter((table) => table !== KEPT)

export interface BackupHeader {
  readonly backup: 1
  /** The last migration. */
  readonly schema: string
  readonly takenAt: string
  /** The generated peppers of the data folder; absent when they came from the environment. */
  readonly peppers?: Peppers
}

const snapshot = statement('backup-snapshot', 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
const session: readonly Statement[] = [
  statement('backup-utc', "SET LOCAL TimeZone = 'UTC'"),
  statement('backup-no-limit', 'SET LOCAL statement_timeout = 0'),
]
const lastMigration = rowOf<{ schema: string; takenAt: string }, []>(
  'backup-schema',
  'SELECT name AS schema, event_time(now()) AS "takenAt" FROM schema_migration ORDER BY id DESC LIMIT 1',
)

const readSchema = async (tx: Queryable) => (await lastMigration(tx)) ?? { schema: 'none', takenAt: '' }

const columns = rowsOf<{ table: Table; names: string }, [tables: readonly Table[]]>(
  'backup-columns',
  `SELECT table_name AS "table", string_agg(column_name::text, ', ' ORDER BY ordinal_position) AS names
   FROM information_schema.columns
   WHERE table_schema = current_schema() AND table_name = ANY($1) AND is_generated = 'NEVER' GROUP BY table_name`,
)

/** Names of every table's stored columns, as SQL lists them. */
type Columns = ReadonlyMap<Table, string>

const readColumns = async (tx: Queryable): Promise<Columns> =>
  new Map((await columns(tx, TABLES)).map(({ table, names }) => [table, names]))

/** Number of rows of each table and a sum over their contents that does not depend on their order. */
async function fingerprints(tx: Queryable, columns: Columns): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const table of COMPARED) {
    const [row] = await tx.query<{ sum: string }>(
      statement(
        `backup-sum-${table}`,
        `SELECT count(*) || ' rows, sum ' || coalesce(sum(('x' || left(md5(jsonb_build_array(${columns.get(table)})::text), 15))::bit(60)::bigint), 0) AS sum
         FROM ${table}`,
      ),
    )
    found[table] = row?.sum ?? ''
  }
  return found
}

/** Reads the whole database as lines of a backup. @param tx a new transaction */
export async function* dump(tx: Queryable, peppers?: Peppers): AsyncGenerator<string> {
  for (const each of [snapshot, ...session]) await tx.query(each)
  const header: BackupHeader = { backup: 1, ...(await readSchema(tx)), ...(peppers && { peppers }) }
  yield JSON.stringify(header)
  for (const table of TABLES)
    for await (const rows of pagesOf<{ row: string }>(
      tx,
      `backup-${table}`,
      `SELECT to_json(t)::text AS row FROM ${table} t`,
    ))
      yield `${table}\t[${rows.map(({ row }) => row).join(',')}]`
  yield `end\t${JSON.stringify(await fingerprints(tx, await readColumns(tx)))}`
}

function headerFrom(line: string): BackupHeader {
  try {
    const header = JSON.parse(line)
    if (header.backup === 1) return header
  } catch {
    // Said below.
  }
  throw new Error('it is no backup of this program')
}

async function insertPage(tx: Queryable, table: Table, names: string, page: string): Promise<void> {
  const known = table === KEPT ? 'ON CONFLICT DO NOTHING' : ''
  const insert = statement(
    `restore-${table}`,
    `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
     SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json) ${known}`,
  )
  await tx.query(insert, [page])
}

/** The next member's id follows those that were restored: the only number that the database gives. */
const continueIds = statement(
  'restore-sequence',
  `SELECT setval(pg_get_serial_sequence('member', 'id'), greatest(1, (SELECT max(id) FROM member)))`,
)

const isUsed = rowOf<{ used: boolean }, []>(
  'restore-used',
  'SELECT EXISTS (SELECT FROM member) OR EXISTS (SELECT FROM activity) AS used',
)
const truncate = statement('restore-truncate', `TRUNCATE ${COMPARED.join(', ')}`)

/**
 * Fills the database with a backup, compares every table with it, and verifies the invariants.
 * @param tx a new transaction, to be rolled back when this rejects: nothing is lost then
 * @param replace whether a database with members may be overwritten
 * @throws Error with one line that says what is wrong with the backup or the target
 */
export async function load(
  tx: Queryable,
  lines: AsyncIterable<string>,
  replace: boolean,
): Promise<BackupHeader> {
  for (const each of session) await tx.query(each)
  const columns = await readColumns(tx)
  let header: BackupHeader | undefined
  let expected: Record<string, string> | undefined
  for await (const line of lines) {
    if (!header) {
      header = headerFrom(line)
      const { schema } = await readSchema(tx)
      if (header.schema !== schema)
        throw new Error(`it was made at schema ${header.schema}, and this program is at ${schema}`)
      if (!replace && (await isUsed(tx))?.used)
        throw new Error('the database has members already; give an empty one')
      await tx.query(truncate)
      continue
    }
    const [name = '', content = ''] = line.split('\t', 2)
    const table = TABLES.find((each) => each === name)
    if (table) await insertPage(tx, table, columns.get(table) ?? '', content)
    else if (name === 'end') expected = JSON.parse(content)
    else throw new Error(`it holds a table that is not known here: ${name.slice(0, 40)}`)
  }
  if (!header || !expected) throw new Error('it is cut off')
  await tx.query(continueIds)
  const found = await fingerprints(tx, columns)
  for (const table of COMPARED)
    if (found[table] !== expected[table])
      throw new Error(`${table} arrived differently: ${expected[table]} became ${found[table]}`)
  await verifyIn(tx, ({ invariant, broken, examples }) => {
    if (broken > 0)
      throw new Error(`what it holds is broken: ${invariant} (${broken}: ${examples.join('; ')})`)
  })
  return header
}
