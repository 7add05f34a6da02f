import { batchOf, type Queryable, rowOf } from '../database/database.ts'
import type { LoginKeys } from '../server/pepper.ts'
import { accountKey, hashBankDigits } from './credentials.ts'
import { endMemberSessions, lockSessions } from './session.ts'

export const findMember = rowOf<
  { id: string; account: string; accountKey: string; bankHash: Buffer },
  [accountKeys: readonly string[]]
>(
  `SELECT id, account, account_key AS "accountKey", bank_hash AS "bankHash" FROM member
   WHERE account_key = ANY($1::text[]) ORDER BY array_position($1::text[], account_key) LIMIT 1`,
)

/**
 * SQL: the public form of the account of the member `o`, such as `ng***01`:
 * never more than half of it, one letter of a short one, and none of a
 * forgotten one.
 */
export const MASKED_ACCOUNT = `CASE WHEN starts_with(o.account_key, E'\\x01') THEN '***' ELSE
  left(o.account, least(2, greatest(1, char_length(o.account) / 4), char_length(o.account) / 2))
  || '***' || right(o.account, greatest(0, least(2, (char_length(o.account) - 4) / 2))) END`

export interface NewMember {
  readonly account: string
  readonly accountKey: string
  readonly bankHash: Buffer
  /** Undefined keeps the stored value; new members default to false. */
  readonly addressRequired: boolean | undefined
}

export const newMember = (
  keys: LoginKeys,
  account: string,
  digits: string,
  addressRequired?: boolean,
): NewMember => ({
  account: account.normalize('NFC'),
  accountKey: accountKey(account),
  bankHash: hashBankDigits(keys, account, digits),
  addressRequired,
})

interface SavedMember extends Pick<NewMember, 'accountKey' | 'bankHash'> {
  readonly id: string
  readonly hasNewDigits: boolean
}

// `before` reads the statement's snapshot, from before the update.
const save = batchOf<SavedMember, NewMember>(
  `WITH before AS (
     SELECT id, account_key, bank_hash, address_required FROM member
     WHERE account_key = ANY($2::text[]))
   , saved AS (
     INSERT INTO member (account, account_key, bank_hash, address_required, created_at)
     SELECT given.account, account_key, given.bank_hash,
       coalesce(given.address_required, b.address_required, false), now()
     FROM unnest($1::text[], $2::text[], $3::bool[], $4::bytea[])
       AS given (account, account_key, address_required, bank_hash)
     LEFT JOIN before b USING (account_key)
     ORDER BY account_key
     ON CONFLICT (account_key) DO UPDATE
       SET account = excluded.account, bank_hash = excluded.bank_hash, address_required = excluded.address_required
       WHERE (member.account, member.bank_hash, member.address_required)
         IS DISTINCT FROM (excluded.account, excluded.bank_hash, excluded.address_required)
     RETURNING id, account_key, bank_hash
   )
   SELECT s.id, s.account_key AS "accountKey", s.bank_hash AS "bankHash",
     coalesce(b.bank_hash <> s.bank_hash, false) AS "hasNewDigits"
   FROM saved s LEFT JOIN before b USING (id)`,
  ['account', 'accountKey', 'addressRequired', 'bankHash'],
)

/** New digits end a member's sessions. */
export async function saveMembers(tx: Queryable, members: readonly NewMember[]) {
  const saved = await save(tx, members)
  const changed = saved.filter((member) => member.hasNewDigits).map((member) => member.id)
  if (changed.length === 0) return saved
  await lockSessions(tx)
  await endMemberSessions(tx, changed)
  return saved
}

export const findAnyMember = rowOf<object, []>('SELECT FROM member LIMIT 1')
