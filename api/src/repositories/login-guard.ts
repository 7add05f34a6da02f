import { type Queryable, statement } from '../database/database.ts'
import { LOGIN_GUARD, LOGIN_RATE, type RateRule } from '../rules/login-guard.ts'

/*
 * GCRA in one row: `tat` is the theoretical arrival time. A call adds one interval to it; it is refused, and not counted,
 * when that would lie more than a full burst ahead.
 */
const ADD_CALL = (key: string, seconds: string, burst: string) => `
  INSERT INTO rate_limit AS r (key, tat) VALUES (${key}, now() + make_interval(secs => ${seconds}))
  ON CONFLICT (key) DO UPDATE SET tat = greatest(r.tat, now()) + make_interval(secs => ${seconds})
    WHERE greatest(r.tat, now()) + make_interval(secs => ${seconds}) <= now() + make_interval(secs => ${seconds} * ${burst})
  RETURNING 1`

const WAIT = (key: string, seconds: string, burst: string) => `
  (SELECT ceil(extract(epoch FROM r.tat - now()) + ${seconds} - ${seconds} * ${burst})::int
   FROM rate_limit r WHERE r.key = ${key})`

// Counted before the digits are compared, in one statement: a thousand parallel guesses are a thousand attempts.
// The address comes first: a refused address does not count against the account.
const beginStatement = statement(
  'login-begin',
  `WITH address AS (${ADD_CALL('$1', '$2::float8', '$3::int')}),
   attempt AS (
     INSERT INTO login_attempt AS a (key, attempts, updated_at) SELECT $4, 1, now() FROM address
     ON CONFLICT (key) DO UPDATE SET
       attempts = CASE WHEN a.updated_at < now() - make_interval(days => $8::int) THEN 1 ELSE a.attempts + 1 END,
       locked_until = CASE
         WHEN a.updated_at < now() - make_interval(days => $8::int) OR a.attempts < $5::int THEN NULL
         ELSE now() + make_interval(secs => least($6::float8 * 2 ^ least(a.attempts - $5::int, 30), $7::float8)) END,
       updated_at = now()
       WHERE a.locked_until IS NULL OR a.locked_until <= now()
     RETURNING 1
   )
   SELECT EXISTS (SELECT FROM address) AS "addressFree", EXISTS (SELECT FROM attempt) AS "accountFree",
     ${WAIT('$1', '$2::float8', '$3::int')} AS "waitSeconds"`,
)

export interface LoginBegin {
  /** False: the address has to wait; nothing was counted. */
  readonly addressFree: boolean
  /** False: the account is locked. */
  readonly accountFree: boolean
  readonly waitSeconds: number
}

/** Counts a login attempt, by address and by `bucket` (the account, or the account on a known device). */
export async function beginLogin(db: Queryable, address: string, bucket: string): Promise<LoginBegin> {
  const rows = await db.query<{ addressFree: boolean; accountFree: boolean; waitSeconds: number | null }>(
    beginStatement,
    [
      `login:${address}`,
      LOGIN_RATE.secondsEach,
      LOGIN_RATE.burst,
      bucket,
      LOGIN_GUARD.freeFailures,
      LOGIN_GUARD.lockSeconds,
      LOGIN_GUARD.maxLockSeconds,
      LOGIN_GUARD.forgetDays,
    ],
  )
  const row = rows[0]
  return {
    addressFree: row?.addressFree === true,
    accountFree: row?.accountFree === true,
    waitSeconds: Math.max(1, row?.waitSeconds ?? 1),
  }
}

const giveBack = statement(
  'login-give-back',
  // The count forces the lock order of 'login-begin': the address before the account.
  `WITH address AS (UPDATE rate_limit SET tat = tat - make_interval(secs => $2::float8) WHERE key = $1 RETURNING 1)
   DELETE FROM login_attempt WHERE key = $3 AND (SELECT count(*) FROM address) >= 0`,
)

/** After a right login: its attempt does not count, and the bucket's failures are forgotten. */
export async function forgiveLogin(db: Queryable, address: string, bucket: string): Promise<void> {
  await db.query(giveBack, [`login:${address}`, LOGIN_RATE.secondsEach, bucket])
}

const consumeStatement = statement(
  'rate-consume',
  `WITH call AS (${ADD_CALL('$1', '$2::float8', '$3::int')})
   SELECT EXISTS (SELECT FROM call) AS free, ${WAIT('$1', '$2::float8', '$3::int')} AS "waitSeconds"`,
)

/** Counts one call. @returns seconds to wait, or undefined when the call may go on */
export async function consumeCall(db: Queryable, key: string, rule: RateRule): Promise<number | undefined> {
  const rows = await db.query<{ free: boolean; waitSeconds: number | null }>(consumeStatement, [
    key,
    rule.secondsEach,
    rule.burst,
  ])
  return rows[0]?.free ? undefined : Math.max(1, rows[0]?.waitSeconds ?? 1)
}

const sweepStatements = [
  statement('sweep-rates', 'DELETE FROM rate_limit WHERE tat < now()'),
  statement(
    'sweep-attempts',
    `DELETE FROM login_attempt WHERE updated_at < now() - make_interval(days => $1::int)`,
  ),
  statement('sweep-sessions', 'DELETE FROM session WHERE expires_at < now()'),
] as const

/** Removes expired limits, attempts and sessions. */
export async function sweep(db: Queryable): Promise<void> {
  const [rates, attempts, sessions] = sweepStatements
  await db.query(rates)
  await db.query(attempts, [LOGIN_GUARD.forgetDays])
  await db.query(sessions)
}
