import { type Queryable, statement } from '../database/database.ts'

/** SQL: the row of the account $1, or of the account on a known device (`device:ID:ACCOUNT`). */
const OF_ACCOUNT = `(key = 'account:' || $1
  OR (starts_with(key, 'device:') AND substr(key, 8 + position(':' IN substr(key, 8))) = $1))`

const unlockStatement = statement(
  'login-unlock',
  `DELETE FROM login_attempt WHERE ${OF_ACCOUNT} AND attempts > 0 RETURNING 1`,
)

/** Forgets an account's failed logins. @returns on how many devices; all that are not known count as one */
export async function unlockAccount(db: Queryable, accountKey: string): Promise<number> {
  return (await db.query(unlockStatement, [accountKey])).length
}

export interface LoginFailures {
  /** Since the last right login. */
  readonly attempts: number
  readonly lockedUntil: string | null
  readonly isKnownDevice: boolean
}

const failuresStatement = statement(
  'login-failures',
  `SELECT attempts, CASE WHEN locked_until > now() THEN event_time(locked_until) END AS "lockedUntil",
     starts_with(key, 'device:') AS "isKnownDevice"
   FROM login_attempt WHERE ${OF_ACCOUNT} AND attempts > 0 ORDER BY key`,
)

export const readFailures = (db: Queryable, accountKey: string): Promise<LoginFailures[]> =>
  db.query(failuresStatement, [accountKey])
