import { type Database, type Queryable, statement } from '../database/database.ts'
import { verify } from './verify.ts'

/** Tables in the order that their references ask for. Limits and failed logins stay behind. */
const TABLES = [
  'setting',
  'member',
  'member_address',
  'session',
  'mission',
  'activity',
  'stage_activity',
  'member_mission',
  'stage_tickets',
  'ticket',
  'early_code',
  'draw_result',
  'giftcode_trade',
] as const

const PAGE = 2000

const isUsed = statement(
  'move-used',
  'SELECT EXISTS (SELECT FROM member) OR EXISTS (SELECT FROM activity) OR EXISTS (SELECT FROM ticket) AS used',
)
const inUtc = statement('move-utc', "SET LOCAL TimeZone = 'UTC'")

const columnsOf = statement(
  'move-columns',
  `SELECT column_name AS name, is_identity = 'YES' AS "isIdentity" FROM information_schema.columns
   WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
)

/** Number of rows and a sum over their contents that does not depend on their order. */
async function fingerprint(db: Queryable, table: string, columns: readonly string[]): Promise<string> {
  const [row] = await db.query<{ sum: string }>(
    statement(
      `move-sum-${table}`,
      `SELECT count(*) || ' rows, sum ' || coalesce(sum(('x' || left(md5(jsonb_build_array(${columns.join(', ')})::text), 15))::bit(60)::bigint), 0) AS sum
       FROM ${table}`,
    ),
  )
  return row?.sum ?? ''
}

async function copyTable(from: Queryable, to: Queryable, table: string): Promise<number> {
  const columns = await from.query<{ name: string; isIdentity: boolean }>(columnsOf, [table])
  const names = columns.map((column) => column.name)
  const list = names.join(', ')
  const identity = columns.find((column) => column.isIdentity)
  const write = statement(
    `move-write-${table}`,
    `INSERT INTO ${table} (${list}) ${identity ? 'OVERRIDING SYSTEM VALUE' : ''}
     SELECT ${list} FROM json_populate_recordset(NULL::${table}, $1::json)`,
  )
  await from.query(
    statement(
      `move-open-${table}`,
      `DECLARE move_${table} NO SCROLL CURSOR FOR SELECT to_json(t)::text AS row FROM ${table} t`,
    ),
  )
  const fetch = statement(`move-fetch-${table}`, `FETCH ${PAGE} FROM move_${table}`)
  let count = 0
  for (;;) {
    const rows = await from.query<{ row: string }>(fetch)
    if (rows.length === 0) break
    await to.query(write, [`[${rows.map(({ row }) => row).join(',')}]`])
    count += rows.length
  }
  if (identity) {
    await to.query(
      statement(
        `move-sequence-${table}`,
        `SELECT setval(pg_get_serial_sequence('${table}', '${identity.name}'), greatest(1, (SELECT max(${identity.name}) FROM ${table})))`,
      ),
    )
  }
  const [was, is] = [await fingerprint(from, table, names), await fingerprint(to, table, names)]
  if (was !== is) throw new Error(`${table} arrived differently: ${was} became ${is}`)
  return count
}

/**
 * Copies a whole database into an empty one, in one transaction on each side, compares every table, and verifies the
 * invariants on the copy: all or nothing.
 * @param tell called with each table and its number of rows
 * @throws Error when the target is in use, or the copy is not equal
 */
export async function moveDatabase(
  from: Database,
  to: Database,
  tell: (table: string, rows: number) => void,
): Promise<void> {
  await from.transaction((source) =>
    to.transaction(async (target) => {
      const [used] = await target.query<{ used: boolean }>(isUsed)
      if (used?.used) throw new Error('the target database has members already; give an empty one')
      // A server that was started on the target has written its own first rows.
      for (const table of ['setting', 'mission']) {
        await target.query(statement(`move-clear-${table}`, `DELETE FROM ${table}`))
      }
      for (const db of [source, target]) await db.query(inUtc)
      for (const table of TABLES) tell(table, await copyTable(source, target, table))
      const isSound = await verify(target, ({ invariant, broken, examples }) => {
        if (broken > 0)
          throw new Error(`broken in the copy: ${invariant} (${broken}: ${examples.join('; ')})`)
      })
      if (!isSound) throw new Error('the copy does not verify')
    }),
  )
}
