import { namedStatement, type Queryable, rowOf, rowsOf } from '../database/database.ts'
import { networkLimitKeys } from '../server/caller-address.ts'
import { DEVICE_ID_LENGTH } from './known-device.ts'

/** Four digits have 10,000 values, so only limits protect them. */
const LOGIN_GUARD = {
  freeFailures: 5,
  /** Doubled by each further failure. */
  lockSeconds: 60,
  maxLockSeconds: 24 * 3600,
  /** Failures of accounts without attempts for this long are removed. */
  forgetDays: 7,
  windowSeconds: 1800,
} as const

/** About 430,000 accounts a day. */
export const EVERYBODY = 'login:everybody'

/** A bucket gets one call back every `windowSeconds / burst`. */
type Limits = readonly [keys: readonly string[], bursts: readonly number[]]

interface LoginPlace {
  readonly account: string
  /** Null on a known device, which limits of addresses do not concern. */
  readonly pair: string | null
  /**
   * Counts accounts at which the address failed without a later login. Correct
   * logins cost nothing, since members of a mobile carrier share an address.
   */
  readonly limits: Limits
}

export function loginPlace(
  account: string,
  device: string | undefined,
  address: string,
): LoginPlace {
  if (device) return { account: `device:${device}:${account}`, pair: null, limits: [[], []] }
  const [peer, network] = networkLimitKeys(address)
  const bursts = {
    [`login:${peer}`]: 30,
    ...(network && { [`login:${network}`]: 300 }),
    [EVERYBODY]: 9000,
  }
  const limits = [Object.keys(bursts), Object.values(bursts)] as const
  return { account: `account:${account}`, pair: `login:${peer} ${account}`, limits }
}

const OF_ACCOUNT = `(key = 'account:' || $1
  OR starts_with(key, 'device:') AND substr(key, ${'device::'.length + DEVICE_ID_LENGTH + 1}) = $1)`

// A limit is a GCRA: until `tat`, the theoretical arrival time, the bucket is
// in debt, at most by the window. A `tat` beyond the window comes from a clock
// that was set back.
const WINDOW = `interval '${LOGIN_GUARD.windowSeconds} seconds'`
const OWED = `(CASE WHEN r.tat BETWEEN now() AND now() + ${WINDOW} THEN r.tat ELSE now() END)`

/**
 * SQL: adds its step to each row of `bucket (key, step)` that has room, in a
 * fixed order.
 */
const spend = (condition = 'true') => `
  INSERT INTO rate_limit AS r (key, tat)
  SELECT key, now() + step FROM bucket WHERE ${condition} ORDER BY key
  ON CONFLICT (key) DO UPDATE SET tat = ${OWED} + (excluded.tat - now())
    WHERE ${OWED} + (excluded.tat - now()) <= now() + ${WINDOW}
  RETURNING key`

const LOCKED = `a.locked_until BETWEEN now() AND now() + interval '${LOGIN_GUARD.maxLockSeconds} seconds'`

interface SettledLogin {
  /** False: a limit is reached, and nothing was counted. */
  readonly isCounted: boolean
  readonly isUnlocked: boolean
  /** The limits have counted an earlier failure at this address. */
  readonly hasFailedHere: boolean
  /** Null when a concurrent attempt has just reached the limit. */
  readonly fullBucket: string | null
  readonly waitSeconds: number
}

/**
 * One statement, so parallel guesses get no more attempts than sequential ones.
 * Limits must not reveal which digits are correct: those of a locked account
 * count as a failure, and a full bucket counts nothing.
 */
export const settleLoginAttempt = (
  db: Queryable,
  isRight: boolean,
  { account, pair, limits }: LoginPlace,
) => settle(db, isRight, account, pair, ...limits)

const settle = rowOf<
  SettledLogin,
  [isRight: boolean, account: string, pair: string | null, ...limits: Limits]
>(
  `WITH failed_here AS (SELECT FROM rate_limit r WHERE r.key = $3 AND ${OWED} > now()),
   locked AS (SELECT FROM login_attempt a WHERE a.key = $2 AND ${LOCKED}),
   bucket AS (
     SELECT key, ${WINDOW} / burst AS step FROM unnest($4::text[], $5::int[]) AS given (key, burst)
     WHERE NOT EXISTS (SELECT FROM failed_here)
   ),
   full_bucket AS (
     SELECT r.key, ${OWED} + b.step - now() - ${WINDOW} AS wait
       FROM bucket b JOIN rate_limit r USING (key)
     WHERE ${OWED} + b.step > now() + ${WINDOW}
   ),
   spent AS (${spend('(NOT $1 OR EXISTS (SELECT FROM locked)) AND NOT EXISTS (SELECT FROM full_bucket)')}),
   counted AS (
     SELECT WHERE NOT EXISTS (SELECT FROM full_bucket)
       AND ((SELECT count(*) FROM spent) = (SELECT count(*) FROM bucket)
         OR ($1 AND NOT EXISTS (SELECT FROM locked)))
   ),
   attempt AS (
     INSERT INTO login_attempt AS a (key, attempts, updated_at)
     SELECT $2, CASE WHEN $1 THEN 0 ELSE 1 END, now() FROM counted
     ON CONFLICT (key) DO UPDATE SET
       attempts = CASE WHEN $1 THEN 0 ELSE a.attempts + 1 END,
       locked_until = CASE WHEN $1 OR a.attempts < ${LOGIN_GUARD.freeFailures} THEN NULL
         ELSE now() + make_interval(secs => least(
           ${LOGIN_GUARD.lockSeconds} * 2 ^ least(a.attempts - ${LOGIN_GUARD.freeFailures}, 30),
           ${LOGIN_GUARD.maxLockSeconds})) END,
       updated_at = now()
       WHERE (${LOCKED}) IS NOT TRUE
     RETURNING 1
   )
   SELECT EXISTS (SELECT FROM counted) AS "isCounted",
     EXISTS (SELECT FROM attempt) AS "isUnlocked",
     EXISTS (SELECT FROM failed_here) AS "hasFailedHere",
     (SELECT key FROM full_bucket ORDER BY wait DESC LIMIT 1) AS "fullBucket",
     (SELECT greatest(1, ceil(extract(epoch FROM max(wait)))::int) FROM full_bucket) AS "waitSeconds"`,
)

const remember = rowOf<never, [pair: string]>(
  `INSERT INTO rate_limit (key, tat) VALUES ($1, now() + ${WINDOW})
   ON CONFLICT (key) DO UPDATE SET tat = excluded.tat`,
)

/**
 * For a window, further failures of this account at this address cost the
 * address nothing.
 */
export async function rememberFailure(db: Queryable, { pair }: LoginPlace): Promise<void> {
  if (pair !== null) await remember(db, pair)
}

const forgive = rowOf<never, [pair: string | null, ...limits: Limits]>(
  `WITH pair AS (DELETE FROM rate_limit WHERE key = $1 RETURNING 1),
   bucket AS (SELECT key, -(${WINDOW} / burst) AS step
     FROM pair, unnest($2::text[], $3::int[]) AS given (key, burst))
   ${spend()}`,
)

/** Gives an address back what the account's failure took. */
export const forgiveFailure = (db: Queryable, { pair, limits }: LoginPlace) =>
  forgive(db, pair, ...limits)

const expired = [
  namedStatement('DELETE FROM rate_limit WHERE tat < now()'),
  namedStatement(
    `DELETE FROM login_attempt WHERE attempts = 0
       OR updated_at < now() - interval '${LOGIN_GUARD.forgetDays} days'`,
  ),
  namedStatement('DELETE FROM session WHERE expires_at < now()'),
]

export async function sweepExpiredLogins(db: Queryable): Promise<void> {
  for (const each of expired) await db.query(each)
}

/** Returns a row for each known device, and one for all others. */
export const unlockAccount = rowsOf<object, [accountKey: string]>(
  `DELETE FROM login_attempt WHERE ${OF_ACCOUNT} AND attempts > 0 RETURNING 1`,
)

export interface LoginFailure {
  readonly attempts: number
  readonly lockedUntil: string | null
  readonly isKnownDevice: boolean
}

export const readFailures = rowsOf<LoginFailure, [accountKey: string]>(
  `SELECT attempts,
     CASE WHEN locked_until > now() THEN event_time(locked_until) END AS "lockedUntil",
     starts_with(key, 'device:') AS "isKnownDevice"
   FROM login_attempt WHERE ${OF_ACCOUNT} AND attempts > 0 ORDER BY key`,
)

/** Null: all accounts. */
export const forgetAttempts = rowOf<never, [accountKey: string | null]>(
  `WITH attempts AS (DELETE FROM login_attempt WHERE $1::text IS NULL OR ${OF_ACCOUNT})
   DELETE FROM rate_limit WHERE $1 IS NULL OR right(key, length($1) + 1) = ' ' || $1`,
)
