import { rowsOf } from '../database/database.ts'

/** SQL: the row of the account $1, or of the account on a known device (`device:ID:ACCOUNT`). */
const OF_ACCOUNT = `(key = 'account:' || $1
  OR (starts_with(key, 'device:') AND substr(key, 8 + position(':' IN substr(key, 8))) = $1))`

/** Forgets an account's failed logins. @returns a row for each device; all that are not known are one */
export const unlockAccount = rowsOf<object, [accountKey: string]>(
  'login-unlock',
  `DELETE FROM login_attempt WHERE ${OF_ACCOUNT} AND attempts > 0 RETURNING 1`,
)

/** Failed logins since the last right one. */
export const readFailures = rowsOf<
  { attempts: number; lockedUntil: string | null; isKnownDevice: boolean },
  [accountKey: string]
>(
  'login-failures',
  `SELECT attempts, CASE WHEN locked_until > now() THEN event_time(locked_until) END AS "lockedUntil",
     starts_with(key, 'device:') AS "isKnownDevice"
   FROM login_attempt WHERE ${OF_ACCOUNT} AND attempts > 0 ORDER BY key`,
)
