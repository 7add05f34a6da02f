import type pg from 'pg'

/** One line for each thing that code may rely on: tables, columns, constraints, indexes, triggers, functions, enums, grants. */
const FACTS = `
WITH own AS (SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace)
SELECT relname AS "table", format('relation %s %s', relname, relkind) AS fact FROM own WHERE relkind <> 'i'
UNION ALL SELECT relname, format('grants on %s: %s', relname, acl) FROM own, unnest(relacl::text[]) AS acl
UNION ALL SELECT relname, format('column %s.%s %s%s%s', relname, attname, format_type(atttypid, atttypmod),
    CASE WHEN attnotnull THEN ' NOT NULL' END, CASE WHEN atthasdef OR attidentity <> '' THEN ' with default' END)
  FROM pg_attribute a JOIN own ON own.oid = a.attrelid WHERE attnum > 0 AND NOT attisdropped AND relkind <> 'i'
UNION ALL SELECT conrelid::regclass::text, format('constraint on %s: %s', conrelid::regclass, pg_get_constraintdef(oid))
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT tablename, 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT NULL, pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind <> 'a'
UNION ALL SELECT NULL, format('enum %s: %s', enumtypid::regtype, enumlabel) FROM pg_enum`

interface Fact {
  readonly table: string | null
  readonly fact: string
}

export async function schemaFacts(client: pg.Client): Promise<readonly Fact[]> {
  return (await client.query<Fact>(FACTS)).rows
}

/** A new fact about a table of the version before that forbids what its code may do. */
const TIGHTENS = /^(constraint|CREATE .*TRIGGER|index CREATE UNIQUE)|^column .* NOT NULL$/

/** Returns what a migration has removed, changed or tightened, so that the version before may fail on it. */
export function breakingChanges(before: readonly Fact[], after: readonly Fact[]): string[] {
  const known = new Set(before.map(({ fact }) => fact))
  const left = new Set(after.map(({ fact }) => fact))
  const tables = new Set(before.map(({ table }) => table))
  const removed = before.filter(({ fact }) => !left.has(fact)).map(({ fact }) => `removes ${fact}`)
  const tightened = after.filter(
    ({ table, fact }) => !known.has(fact) && tables.has(table) && TIGHTENS.test(fact),
  )
  return [...removed, ...tightened.map(({ fact }) => `tightens: ${fact}`)]
}
