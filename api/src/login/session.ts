import { hash, randomBytes } from 'node:crypto'
import { SIGN_HEADER } from '@anniversary/shared/contract/headers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Queryable, rowOf, rowsOf } from '../database/database.ts'
import { HttpProblem } from '../server/answers.ts'
import type { Context } from '../server/context.ts'
import { inMemberTurn } from '../server/member-turns.ts'
import { bearerToken } from '../server/service-key.ts'
import { memberTexts } from '../texts.ts'

/**
 * SQL: the member of the session with token hash $1, in each statement, so a
 * call is one round trip.
 */
export const ME =
  'me AS (SELECT member_id FROM session WHERE token_hash = $1 AND expires_at > now())'

export const newToken = (): string => randomBytes(32).toString('base64url')

/** 256 random bits need no salt and no slow hash. */
export const sessionKey = (token: string): Buffer => hash('sha256', token, 'buffer')

/**
 * A phone with three in-app browsers, and a desktop. Calls of a member's
 * sessions wait for the same rows, so these are fewer than the connections that
 * write (database/pipelined.ts).
 */
const MOST_SESSIONS = 5

/**
 * Returns undefined, and starts none, when the member has been banned or
 * forgotten meanwhile, or has got other digits. Skips old sessions that another
 * login is removing, to avoid a deadlock.
 */
export const startSession = rowOf<
  { needsAddress: boolean },
  [session: Buffer, memberId: string, bankHash: Buffer, hours: number]
>(
  `WITH started AS (
     INSERT INTO session (token_hash, member_id, created_at, expires_at)
     SELECT $1, id, now(), now() + make_interval(hours => $4::int) FROM member
     WHERE id = $2 AND banned_at IS NULL AND bank_hash = $3
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

export const endSession = rowOf<never, [session: Buffer]>(
  'DELETE FROM session WHERE token_hash = $1',
)

// Longer than deadlock_timeout, after which Postgres ends an autovacuum that
// holds the table.
const limitLockTime = rowOf<never, []>("SELECT set_config('lock_timeout', '2s', true)")

/** All writes of members wait behind what waits for a table. */
export function lockOfTables(tables: string) {
  const lock = rowOf<never, []>(`LOCK TABLE ${tables} IN SHARE ROW EXCLUSIVE MODE`)
  return async (tx: Queryable) => {
    await limitLockTime(tx)
    await lock(tx)
  }
}

/** For a ban or new digits: waits for logins that have read the member before. */
export const lockSessions = lockOfTables('session')

export const endMemberSessions = rowsOf<object, [memberIds: readonly string[]]>(
  'DELETE FROM session WHERE member_id = ANY($1::bigint[]) RETURNING 1',
)

const findBannedSession = rowOf<object, [session: Buffer]>(
  `SELECT FROM session s JOIN member m ON m.id = s.member_id
   WHERE s.token_hash = $1 AND m.banned_at IS NOT NULL`,
)

/**
 * Reads `x-sign-key`, else the bearer header (specification, section 7); never
 * a cookie.
 */
export function memberSession(request: FastifyRequest): Buffer {
  const header = request.headers[SIGN_HEADER]
  // Not trimmed: nginx counts calls by the token as it is.
  const token = (typeof header === 'string' && header) || bearerToken(request)
  if (!token) throw new HttpProblem(401, memberTexts.noToken)
  return sessionKey(token)
}

/** 403 for a banned member, else 401. */
export async function sessionProblem(db: Queryable, session: Buffer): Promise<HttpProblem> {
  const isBanned = await findBannedSession(db, session)
  if (isBanned) return new HttpProblem(403, memberTexts.banned)
  return new HttpProblem(401, memberTexts.sessionOver)
}

/**
 * @throws HttpProblem when `call` returns undefined: there is no live session
 */
export async function inSession<T>(
  request: FastifyRequest,
  db: Queryable,
  call: (session: Buffer) => Promise<T | undefined>,
): Promise<T> {
  const session = memberSession(request)
  const answer = await call(session)
  if (answer === undefined) throw await sessionProblem(db, session)
  return answer
}

/** One call of a session after another. */
export const inSessionTurn = <T extends object>(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  call: (session: Buffer) => Promise<T | undefined>,
): Promise<T> =>
  inMemberTurn(context, memberSession(request).toString('base64'), reply, () =>
    inSession(request, context.database, call),
  )
