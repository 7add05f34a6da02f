import { type Queryable, rowOf, rowsOf } from '../database/database.ts'
import { outdatedListNote } from '../draws/draw-lists.ts'
import { lockDrawResults } from '../draws/import-draw.ts'
import { pseudonymKey } from '../login/credentials.ts'
import { markForgotten } from '../login/forgotten.ts'
import { forgetAttempts, unlockAccount } from '../login/login-guard.ts'
import { endMemberSessions, lockOfTables, lockSessions } from '../login/session.ts'
import { CLAIM_DEADLINES } from '../missions/stages.ts'
import { type Correction, lockMemberRow } from './apply-correction.ts'

export const unlockMember: Correction = async (tx, [account = '']) => {
  const { id, key } = await lockMemberRow(tx, account)
  return { memberId: id, detail: { locks: (await unlockAccount(tx, key)).length } }
}

export const logOutMember: Correction = async (tx, [account = '']) => {
  const { id } = await lockMemberRow(tx, account)
  return { memberId: id, detail: { sessions: (await endMemberSessions(tx, [id])).length } }
}

const setBanned = rowOf<object, [memberId: string, isBanned: boolean]>(
  `UPDATE member SET banned_at = CASE WHEN $2::bool THEN now() END
   WHERE id = $1 AND (banned_at IS NULL) = $2 RETURNING 1`,
)
/** Keeps the rows, so that calls can be answered with the reason. */
const expireSessions = rowsOf<never, [memberId: string]>(
  'UPDATE session SET expires_at = now() WHERE member_id = $1 AND expires_at > now()',
)

const findWins = rowsOf<{ code: string; draw: number; prize: string }, [memberId: string]>(
  `SELECT t.code, d.draw, d.prize FROM ticket t JOIN draw_result d ON d.ticket_code = t.code
   WHERE t.member_id = $1 ORDER BY d.draw, t.code`,
)

/** What the prizes and the coming lists have of the member. */
const findTicketNews = async (tx: Queryable, memberId: string, at: Date) => ({
  won: await findWins(tx, memberId),
  note: await outdatedListNote(tx, { memberId }, at),
})

export const banMember: Correction = async (tx, [account = ''], at) => {
  await lockDrawResults(tx)
  const { id } = await lockMemberRow(tx, account)
  await lockSessions(tx)
  if (!(await setBanned(tx, id, true))) throw new Error(`${account} is banned already`)
  await expireSessions(tx, id)
  return { memberId: id, detail: await findTicketNews(tx, id, at) }
}

export const unbanMember: Correction = async (tx, [account = ''], at) => {
  await lockDrawResults(tx)
  const { id } = await lockMemberRow(tx, account)
  if (!(await setBanned(tx, id, false))) throw new Error(`${account} is not banned`)
  return { memberId: id, detail: await findTicketNews(tx, id, at) }
}

// Members before tables, as batches lock them, which prevents deadlocks.
const lockAllMembers = rowOf<object, []>(
  'SELECT count(*) FROM (SELECT FROM member ORDER BY account_key FOR NO KEY UPDATE) m',
)
// Waits for logins, addresses and claims in progress, so that their rows are
// removed too.
const lockPersonalData = lockOfTables('session, member_address, member_mission')

/** No digits match an empty hash, so login is impossible. Null: all members. */
const removePersonalData = rowOf<{ members: number }, [memberId: string | null]>(
  `WITH forgotten AS (
     UPDATE member SET account = 'forgotten-' || id,
       account_key = '${pseudonymKey('forgotten-')}' || id, bank_hash = ''
     WHERE id = coalesce($1, id) RETURNING id
   ),
   addresses AS (DELETE FROM member_address WHERE member_id = coalesce($1, member_id)),
   sessions AS (DELETE FROM session WHERE member_id = coalesce($1, member_id)),
   proofs AS (
     UPDATE member_mission SET proof = proof - 'share_links' - 'shared_pages'
     WHERE member_id = coalesce($1, member_id) AND proof ? 'share_links'
   )
   SELECT count(*)::int AS members FROM forgotten`,
)

export const forgetMember: Correction = async (tx, [account = ''], _at, readKeys, who) => {
  const keys = await readKeys()
  const { id, key } = await lockMemberRow(tx, account)
  await lockPersonalData(tx)
  await markForgotten(tx, keys, key, who)
  await removePersonalData(tx, id)
  await forgetAttempts(tx, key)
  return { memberId: id }
}

export const closeEvent: Correction = async (tx, _args, at) => {
  const last = CLAIM_DEADLINES.at(-1)
  if (!last || at <= last)
    throw new Error(
      `prizes can be claimed until ${last?.toISOString()}: too early to close the event`,
    )
  await lockAllMembers(tx)
  await lockPersonalData(tx)
  await forgetAttempts(tx, null)
  return { detail: { ...(await removePersonalData(tx, null)) } }
}
