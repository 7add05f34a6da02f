import pg from 'pg'

export interface LedgerGroup {
  readonly lines: number
  /** Id of the first member. */
  readonly first: number
  readonly members: number
}

/**
 * Lines of one member are scattered over the whole table, as a back office
 * sends them. A day of five has no deposit, so that no streak is reached.
 */
export async function seedLedgers(
  client: pg.ClientBase,
  groups: readonly LedgerGroup[],
): Promise<void> {
  const columns = [
    groups.map(({ first }) => first),
    groups.map(({ members }) => members),
    groups.map(({ lines }) => lines),
  ]
  await client.query(
    `INSERT INTO activity (source, ref, member_id, kind, amount, occurred_at, received_at)
     SELECT 'bench', m || '-' || n, m,
       CASE WHEN n % 10 = 0 AND extract(day FROM at AT TIME ZONE 'Asia/Ho_Chi_Minh')::int % 5 > 0
         THEN 'deposit' ELSE 'bet' END, 100, at, now()
     FROM unnest($1::int[], $2::int[], $3::int[]) AS g (first, members, lines),
       generate_series(first, first + members - 1) m, generate_series(1, lines) n,
       LATERAL (SELECT timestamptz '2025-08-01T00:00:00+07' + interval '19 days' * n / lines) AS x (at)
     ORDER BY at, m`,
    columns,
  )
  await client.query(
    `INSERT INTO stage_activity (
       member_id, stage, deposit_total, bet_total, deposits, deposit_days, kept_by)
     SELECT member_id, 1, sum(amount * (kind = 'deposit')::int), sum(amount * (kind = 'bet')::int),
       count(*) FILTER (WHERE kind = 'deposit'),
       coalesce(range_agg(daterange(day, day + 1)) FILTER (WHERE kind = 'deposit'), '{}'),
       pg_current_xact_id()::xid
     FROM activity GROUP BY member_id`,
  )
}

/** @param ledgers lines of the members of each group; groups are equally large */
export async function addLedgers(
  url: string,
  members: number,
  ledgers: readonly number[],
): Promise<LedgerGroup[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const size = Math.floor(members / ledgers.length)
  const groups = ledgers.map((lines, i) => ({ lines, first: 1 + i * size, members: size }))
  await seedLedgers(client, groups)
  await client.query('VACUUM (ANALYZE)')
  await client.end()
  return groups
}
