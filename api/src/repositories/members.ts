import { batchOf, type Queryable, rowOf, rowsOf } from '../database/database.ts'
import { accountKey, bankHash, type LoginKeys } from '../rules/credentials.ts'
import { ME } from './session-sql.ts'

export const findMember = rowOf<{ id: string; account: string; bankHash: Buffer }, [accountKey: string]>(
  'member-by-key',
  'SELECT id, account, bank_hash AS "bankHash" FROM member WHERE account_key = $1',
)

/** A member's next login ends older ones. */
const MOST_SESSIONS = 10

/**
 * Starts a session, and says whether the member still has to give an address. Undefined: the member is banned, and there
 * is none. Skips what another login of the member is removing: two that wait for each other's rows would be a deadlock.
 */
export const startSession = rowOf<
  { needsAddress: boolean },
  [session: Buffer, memberId: string, hours: number]
>(
  'session-start',
  `WITH started AS (
     INSERT INTO session (token_hash, member_id, created_at, expires_at)
     SELECT $1, id, now(), now() + make_interval(hours => $3::int) FROM member WHERE id = $2 AND banned_at IS NULL
     RETURNING member_id
   ),
   oldest AS (
     SELECT token_hash FROM session WHERE member_id = $2
     ORDER BY created_at DESC OFFSET ${MOST_SESSIONS - 1}
   ),
   ended AS (
     DELETE FROM session WHERE token_hash IN (
       SELECT token_hash FROM session WHERE token_hash IN (SELECT token_hash FROM oldest)
       FOR UPDATE SKIP LOCKED)
   )
   SELECT m.address_required AND NOT EXISTS (
     SELECT FROM member_address WHERE member_id = $2) AS "needsAddress"
   FROM started JOIN member m ON m.id = started.member_id`,
)

/** A row when a session that is over is that of a banned member. */
export const findBannedSession = rowOf<object, [session: Buffer]>(
  'session-banned',
  `SELECT FROM session s JOIN member m ON m.id = s.member_id
   WHERE s.token_hash = $1 AND m.banned_at IS NOT NULL`,
)

export const endSession = rowOf<never, [session: Buffer]>(
  'session-end',
  'DELETE FROM session WHERE token_hash = $1',
)

/** Undefined: no live session. */
export const saveAddress = rowOf<
  object,
  [session: Buffer, fullname: string, phoneNumber: string, address: string, note: string]
>(
  'member-address-save',
  `WITH ${ME}
   INSERT INTO member_address (member_id, fullname, phone_number, address, note, saved_at)
   SELECT member_id, $2, $3, $4, $5, now() FROM me
   ON CONFLICT (member_id) DO UPDATE SET fullname = excluded.fullname, phone_number = excluded.phone_number,
     address = excluded.address, note = excluded.note, saved_at = excluded.saved_at
   RETURNING member_id`,
)

export interface NewMember {
  readonly account: string
  readonly accountKey: string
  readonly bankHash: Buffer
  readonly addressRequired: boolean
}

/** @param digits the last four of the bank account */
export const newMember = (
  keys: LoginKeys,
  account: string,
  digits: string,
  addressRequired = false,
): NewMember => ({
  account: account.normalize('NFC'),
  accountKey: accountKey(account),
  bankHash: bankHash(keys, account, digits),
  addressRequired,
})

export interface SavedMember {
  readonly id: string
  readonly accountKey: string
}

// `before` reads the statement's snapshot: the members before this statement.
const save = batchOf<SavedMember & { hasNewDigits: boolean }, NewMember>(
  'members-save',
  `WITH before AS (SELECT id, bank_hash FROM member WHERE account_key = ANY($2::text[]))
   , saved AS (
     INSERT INTO member (account, account_key, bank_hash, address_required, created_at)
     SELECT account, account_key, bank_hash, address_required, now()
     FROM unnest($1::text[], $2::text[], $3::bool[], $4::bytea[])
       AS given (account, account_key, address_required, bank_hash)
     ORDER BY account_key
     ON CONFLICT (account_key) DO UPDATE
       SET account = excluded.account, bank_hash = excluded.bank_hash, address_required = excluded.address_required
       WHERE (member.account, member.bank_hash, member.address_required)
         IS DISTINCT FROM (excluded.account, excluded.bank_hash, excluded.address_required)
     RETURNING id, account_key, bank_hash
   )
   SELECT s.id, s.account_key AS "accountKey",
     coalesce(b.bank_hash <> s.bank_hash, false) AS "hasNewDigits"
   FROM saved s LEFT JOIN before b USING (id)`,
  ['account', 'accountKey', 'addressRequired', 'bankHash'],
)

/** Ends every session of these members. @returns a row for each */
export const endSessions = rowsOf<object, [memberIds: readonly string[]]>(
  'sessions-end',
  'DELETE FROM session WHERE member_id = ANY($1::bigint[]) RETURNING 1',
)

/**
 * Adds or updates members; each account at most once in a call. A member whose digits change is logged out everywhere.
 * @returns the members that were added or changed
 */
export async function saveMembers(tx: Queryable, members: readonly NewMember[]): Promise<SavedMember[]> {
  const saved = await save(tx, members)
  const changed = saved.filter((member) => member.hasNewDigits).map((member) => member.id)
  if (changed.length > 0) await endSessions(tx, changed)
  return saved
}

/** A row when there is any member. */
export const findAnyMember = rowOf<object, []>('member-any', 'SELECT FROM member LIMIT 1')
