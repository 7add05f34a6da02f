import type { Queryable } from '../database/database.ts'
import { statement } from '../database/database.ts'
import { ME } from './session-sql.ts'

export interface MemberLogin {
  readonly id: string
  readonly account: string
  readonly bankHash: Buffer
  readonly needsAddress: boolean
}

const byKey = statement(
  'member-by-key',
  `SELECT m.id, m.account, m.bank_hash AS "bankHash",
          m.address_required AND NOT EXISTS (SELECT FROM member_address a WHERE a.member_id = m.id) AS "needsAddress"
   FROM member m WHERE m.account_key = $1`,
)

export async function findMember(db: Queryable, accountKey: string): Promise<MemberLogin | undefined> {
  return (await db.query<MemberLogin>(byKey, [accountKey]))[0]
}

const startSessionStatement = statement(
  'session-start',
  `INSERT INTO session (token_hash, member_id, created_at, expires_at)
   VALUES ($1, $2, now(), now() + make_interval(hours => $3::int))`,
)

export async function startSession(
  db: Queryable,
  hash: Buffer,
  memberId: string,
  hours: number,
): Promise<void> {
  await db.query(startSessionStatement, [hash, memberId, hours])
}

const endSessionStatement = statement('session-end', 'DELETE FROM session WHERE token_hash = $1')

export async function endSession(db: Queryable, hash: Buffer): Promise<void> {
  await db.query(endSessionStatement, [hash])
}

export interface AddressRow {
  readonly fullname: string
  readonly phone_number: string
  readonly address: string
  readonly note: string
}

const saveAddressStatement = statement(
  'member-address-save',
  `WITH ${ME}
   INSERT INTO member_address (member_id, fullname, phone_number, address, note, saved_at)
   SELECT member_id, $2, $3, $4, $5, now() FROM me
   ON CONFLICT (member_id) DO UPDATE SET fullname = excluded.fullname, phone_number = excluded.phone_number,
     address = excluded.address, note = excluded.note, saved_at = excluded.saved_at
   RETURNING member_id`,
)

/** @returns false when the session is not alive */
export async function saveAddress(db: Queryable, hash: Buffer, row: AddressRow): Promise<boolean> {
  const saved = await db.query(saveAddressStatement, [
    hash,
    row.fullname,
    row.phone_number,
    row.address,
    row.note,
  ])
  return saved.length > 0
}

export interface NewMember {
  readonly account: string
  readonly accountKey: string
  readonly bankHash: Buffer
  readonly addressRequired: boolean
}

const saveMembersStatement = statement(
  'members-save',
  `INSERT INTO member (account, account_key, bank_hash, address_required, created_at)
   SELECT account, account_key, bank_hash, address_required, now()
   FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bool[])
     AS given (account, account_key, bank_hash, address_required)
   ON CONFLICT (account_key) DO UPDATE
     SET account = excluded.account, bank_hash = excluded.bank_hash, address_required = excluded.address_required
     WHERE (member.account, member.bank_hash, member.address_required)
       IS DISTINCT FROM (excluded.account, excluded.bank_hash, excluded.address_required)
   RETURNING id, account_key AS "accountKey", (xmax = 0) AS "isNew"`,
)

/** Adds members, or renews what is known of them. @returns the rows that were added or changed */
export function saveMembers(
  db: Queryable,
  members: readonly NewMember[],
): Promise<{ id: string; accountKey: string; isNew: boolean }[]> {
  return db.query(saveMembersStatement, [
    members.map((m) => m.account),
    members.map((m) => m.accountKey),
    members.map((m) => m.bankHash),
    members.map((m) => m.addressRequired),
  ])
}

const anyMember = statement('member-any', 'SELECT EXISTS (SELECT FROM member) AS found')

export async function hasMembers(db: Queryable): Promise<boolean> {
  return (await db.query<{ found: boolean }>(anyMember))[0]?.found === true
}
