import { type LedgerGroup, seedLedgers } from '@anniversary/api/prove/ledgers'
import { MISSION_CODES, STREAK_MISSION } from '@anniversary/shared/contract/missions'
import pg from 'pg'

/**
 * Members with four claimable missions each: half for HTTP, half for pgbench.
 */
export const CLAIMERS = 100_000
export const HALF = CLAIMERS / 2
/**
 * Members after the claimers, for bookings. A prime number gives each of them
 * lines of all kinds.
 */
export const BOOKERS = 20_011
/** Missions that a claimer claims. */
export const CLAIMABLE = ['NAP_300', 'CUOC_5000', 'NAP_15000', 'NAP_10LAN'] as const
/**
 * Missions that a reader has claimed. Until the streak is claimed, a list
 * counts its days.
 */
const CLAIMED = MISSION_CODES.filter((code) => code !== STREAK_MISSION)

/** SQL of the hash of a member's token (load.lua has the token). */
export const hashSql = (member: string) => `sha256(convert_to('bench-' || ${member}, 'UTF8'))`

export interface Seeded {
  readonly tickets: number
  readonly members: number
  readonly readers: readonly LedgerGroup[]
}

/** Enough that none of them claims too often for the server. */
const READERS = 150

/** The least of a database with a group of readers for each ledger. */
export const ticketsOfReaders = (ledgers: readonly number[]): number =>
  ledgers.length * READERS * CLAIMED.length

/**
 * Fills a migrated, empty database with members who have claimed all missions
 * of stage 1 but the streak, until there are so many tickets, and with claimers
 * and bookers after them; each has a session. Set-based and without foreign-key checks:
 * what it writes is right by construction.
 * @param ledgers numbers of lines; for each, some of the members get a ledger
 * with so many
 */
export async function seed(
  url: string,
  tickets: number,
  ledgers: readonly number[],
): Promise<Seeded> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const members = Math.ceil(tickets / CLAIMED.length)
  const run = (text: string, values: unknown[] = []) => client.query(text, values)

  let first = 1
  const readers = ledgers.map((lines) => {
    const group = { lines, first, members: READERS }
    first += group.members
    return group
  })

  await run(`SET session_replication_role = replica`)
  await run(`SET maintenance_work_mem = '512MB'`)
  await run(`SET synchronous_commit = off`)
  await run('ALTER TABLE ticket DROP CONSTRAINT ticket_code CASCADE')
  await run(
    `INSERT INTO member (account, account_key, bank_hash, created_at)
     SELECT 'bench' || i, 'bench' || i, '\\x00', now() FROM generate_series(1, $1::int) i`,
    [members + CLAIMERS + BOOKERS],
  )
  await run(
    `INSERT INTO session (token_hash, member_id, created_at, expires_at)
     SELECT ${hashSql('m')}, m, now(), now() + interval '1 day' FROM generate_series(1, $1::int) m`,
    [members + CLAIMERS + BOOKERS],
  )
  await run(
    `INSERT INTO member_mission (member_id, stage, mission, tickets, reached_by, reached_at, claimed_at)
     SELECT i, 1, mission, 1, 'activity', '2025-08-10T12:00:00+07', '2025-08-11T12:00:00+07'
     FROM generate_series(1, $1::int) i, unnest($2::text[]) mission`,
    [members, CLAIMED],
  )
  await run(
    `INSERT INTO member_mission (member_id, stage, mission, tickets, reached_by, reached_at)
     SELECT $2::int + n, 1, mission, 1, 'activity', '2025-08-10T12:00:00+07'
     FROM generate_series(1, $1::int) n, unnest($3::text[]) mission`,
    [CLAIMERS, members, CLAIMABLE],
  )
  await run(
    `INSERT INTO stage_tickets (member_id, stage, tickets)
     SELECT i, 1, $2::int FROM generate_series(1, $1::int) i`,
    [members, CLAIMED.length],
  )
  // Codes look random and are unique: multiplying by an odd number is a
  // permutation of 48 bits.
  await run(
    `INSERT INTO ticket (member_id, stage, slot, mission, code, claimed_at)
     SELECT i, 1, slot, mission,
       regexp_replace(upper(lpad(to_hex(((i::bigint * 6 + slot) * 25214903917 + 11) % 281474976710656), 12, '0')), '(....)(....)(....)', '\\1-\\2-\\3'),
       '2025-08-11T12:00:00+07'
     FROM generate_series(1, $1::int) i, unnest($2::text[]) WITH ORDINALITY AS m (mission, slot)`,
    [members, CLAIMED],
  )
  await run('ALTER TABLE ticket ADD CONSTRAINT ticket_code UNIQUE (code)')
  await run('ALTER TABLE draw_result ADD FOREIGN KEY (ticket_code) REFERENCES ticket (code)')
  await seedLedgers(client, readers)
  await run('VACUUM (ANALYZE)')
  await run('CHECKPOINT')
  // A database that has run for weeks has its tables in memory.
  await run('CREATE EXTENSION pg_prewarm')
  await run(
    `SELECT pg_prewarm(oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')`,
  )
  await client.end()
  return { tickets: members * CLAIMED.length, members, readers }
}
