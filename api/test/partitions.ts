import pg from 'pg'

const PARTITIONS = 16

interface Reference {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/**
 * Spreads the members' tables of a migrated, empty database over hash partitions by shard. Postgres then asks of every
 * unique key what engines ask that spread tables over servers: that it holds the column.
 */
export async function partitionTables(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: columns } = await client.query<{ table: string }>(
    `SELECT table_name AS "table" FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'shard' AND table_name <> 'early_code'`,
  )
  const tables = columns.map(({ table }) => table)
  const { rows: references } = await client.query<Reference>(
    `SELECT conrelid::regclass::text AS "table", conname AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text = ANY($1)`,
    [tables],
  )
  const partition = (table: string, n: number) =>
    `CREATE TABLE ${table}_p${n} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${n})`
  const steps = [
    ...references.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
    ...tables.flatMap((table) => [
      `ALTER TABLE ${table} RENAME TO ${table}_whole`,
      `CREATE TABLE ${table} (LIKE ${table}_whole INCLUDING ALL) PARTITION BY HASH (shard)`,
      ...Array.from({ length: PARTITIONS }, (_, n) => partition(table, n)),
      `DROP TABLE ${table}_whole`,
    ]),
    ...references.map(
      ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`,
    ),
  ]
  // Several statements in one query are one transaction.
  await client.query(steps.join(';\n'))
  await client.end()
}
