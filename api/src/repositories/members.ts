import { type Queryable, statement } from '../database/database.ts'
import {
  accountKey,
  type BankHashes,
  bankHashes,
  type Peppers,
  type SessionKey,
} from '../rules/credentials.ts'
import { shardOf } from '../rules/shard.ts'
import { ME } from './session-sql.ts'

export interface MemberLogin {
  readonly id: string
  readonly account: string
  readonly bankHash: Buffer
  readonly addressRequired: boolean
}

const byKey = statement(
  'member-by-key',
  `SELECT id, account, bank_hash AS "bankHash", address_required AS "addressRequired"
   FROM member WHERE account_key = $1`,
)

export async function findMember(db: Queryable, accountKey: string): Promise<MemberLogin | undefined> {
  return (await db.query<MemberLogin>(byKey, [accountKey]))[0]
}

/** A member's next login ends older ones. */
const MOST_SESSIONS = 10

// Skips what another login of the member is removing: two that wait for each other's rows would be a deadlock.
const startSessionStatement = statement(
  'session-start',
  `WITH started AS (
     INSERT INTO session (shard, token_hash, member_id, created_at, expires_at)
     SELECT $1, $2, id, now(), now() + make_interval(hours => $4::int) FROM member WHERE id = $3 AND banned_at IS NULL
     RETURNING 1
   ),
   oldest AS (
     SELECT token_hash FROM session WHERE shard = $1 AND member_id = $3
     ORDER BY created_at DESC OFFSET ${MOST_SESSIONS - 1}
   ),
   ended AS (
     DELETE FROM session WHERE shard = $1 AND token_hash IN (
       SELECT token_hash FROM session WHERE shard = $1 AND token_hash IN (SELECT token_hash FROM oldest)
       FOR UPDATE SKIP LOCKED)
   )
   SELECT FROM started`,
)

/** @returns false when the member is banned: there is no session then */
export async function startSession(
  db: Queryable,
  { shard, hash }: SessionKey,
  memberId: string,
  hours: number,
): Promise<boolean> {
  return (await db.query(startSessionStatement, [shard, hash, memberId, hours])).length > 0
}

const bannedSession = statement(
  'session-banned',
  `SELECT FROM session s JOIN member m ON m.id = s.member_id
   WHERE s.shard = $1 AND s.token_hash = $2 AND m.banned_at IS NOT NULL`,
)

/** True when a session that is over is that of a banned member. */
export const isBannedSession = async (db: Queryable, { shard, hash }: SessionKey): Promise<boolean> =>
  (await db.query(bannedSession, [shard, hash])).length > 0

const endSessionStatement = statement(
  'session-end',
  'DELETE FROM session WHERE shard = $1 AND token_hash = $2',
)

export async function endSession(db: Queryable, { shard, hash }: SessionKey): Promise<void> {
  await db.query(endSessionStatement, [shard, hash])
}

export interface AddressRow {
  readonly fullname: string
  readonly phone_number: string
  readonly address: string
  readonly note: string
}

const hasAddressStatement = statement(
  'member-address-any',
  'SELECT EXISTS (SELECT FROM member_address WHERE shard = $1 AND member_id = $2) AS found',
)

export async function hasAddress(db: Queryable, memberId: string): Promise<boolean> {
  const rows = await db.query<{ found: boolean }>(hasAddressStatement, [shardOf(memberId), memberId])
  return rows[0]?.found === true
}

const saveAddressStatement = statement(
  'member-address-save',
  `WITH ${ME}
   INSERT INTO member_address (shard, member_id, fullname, phone_number, address, note, saved_at)
   SELECT $1, member_id, $3, $4, $5, $6, now() FROM me
   ON CONFLICT (member_id, shard) DO UPDATE SET fullname = excluded.fullname, phone_number = excluded.phone_number,
     address = excluded.address, note = excluded.note, saved_at = excluded.saved_at
   RETURNING member_id`,
)

/** @returns false when the session is not alive */
export async function saveAddress(
  db: Queryable,
  { shard, hash }: SessionKey,
  row: AddressRow,
): Promise<boolean> {
  const saved = await db.query(saveAddressStatement, [
    shard,
    hash,
    row.fullname,
    row.phone_number,
    row.address,
    row.note,
  ])
  return saved.length > 0
}

const renewStatement = statement(
  'member-renew-hash',
  'UPDATE member SET bank_hash = $2 WHERE id = $1 AND bank_hash = $3',
)

/** Replaces a hash by a former pepper. */
export async function renewBankHash(
  db: Queryable,
  memberId: string,
  { current, former }: BankHashes,
): Promise<void> {
  await db.query(renewStatement, [memberId, current, former])
}

export interface NewMember {
  readonly account: string
  readonly accountKey: string
  readonly bankHashes: BankHashes
  readonly addressRequired: boolean
}

/** @param digits the last four of the bank account */
export const newMember = (
  peppers: Peppers,
  account: string,
  digits: string,
  addressRequired = false,
): NewMember => ({
  account: account.normalize('NFC'),
  accountKey: accountKey(account),
  bankHashes: bankHashes(peppers, account, digits),
  addressRequired,
})

// `before` reads the statement's snapshot: the members before this statement.
const saveMembersStatement = statement(
  'members-save',
  `WITH before AS (SELECT id, bank_hash FROM member WHERE account_key = ANY($2::text[]))
   , saved AS (
     INSERT INTO member (account, account_key, bank_hash, address_required, created_at)
     SELECT account, account_key, bank_hash, address_required, now()
     FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bool[])
       AS given (account, account_key, bank_hash, address_required)
     ORDER BY account_key
     ON CONFLICT (account_key) DO UPDATE
       SET account = excluded.account, bank_hash = excluded.bank_hash, address_required = excluded.address_required
       WHERE (member.account, member.bank_hash, member.address_required)
         IS DISTINCT FROM (excluded.account, excluded.bank_hash, excluded.address_required)
     RETURNING id, account_key, bank_hash
   )
   SELECT s.id, s.account_key AS "accountKey", b.id IS NULL AS "isNew",
     coalesce(b.bank_hash NOT IN (s.bank_hash, coalesce(g.former_hash, s.bank_hash)), false) AS "hasNewDigits"
   FROM saved s LEFT JOIN before b USING (id)
   JOIN unnest($2::text[], $5::bytea[]) AS g (account_key, former_hash) USING (account_key)`,
)

const endSessionsStatement = statement(
  'sessions-end',
  'DELETE FROM session WHERE member_id = ANY($1::bigint[]) RETURNING 1',
)

/** Ends every session of these members. @returns how many */
export async function endSessions(db: Queryable, memberIds: readonly string[]): Promise<number> {
  return (await db.query(endSessionsStatement, [memberIds])).length
}

export interface SavedMember {
  readonly id: string
  readonly accountKey: string
  readonly isNew: boolean
}

/**
 * Adds or updates members; each account at most once in a call. A member whose digits change is logged out everywhere.
 * @returns the members that were added or changed
 */
export async function saveMembers(tx: Queryable, members: readonly NewMember[]): Promise<SavedMember[]> {
  const saved = await tx.query<SavedMember & { hasNewDigits: boolean }>(saveMembersStatement, [
    members.map((m) => m.account),
    members.map((m) => m.accountKey),
    members.map((m) => m.bankHashes.current),
    members.map((m) => m.addressRequired),
    members.map((m) => m.bankHashes.former),
  ])
  const changed = saved.filter((member) => member.hasNewDigits).map((member) => member.id)
  if (changed.length > 0) await endSessions(tx, changed)
  return saved
}

const anyMember = statement('member-any', 'SELECT EXISTS (SELECT FROM member) AS found')

export async function hasMembers(db: Queryable): Promise<boolean> {
  return (await db.query<{ found: boolean }>(anyMember))[0]?.found === true
}
