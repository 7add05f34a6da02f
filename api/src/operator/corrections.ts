import { STAGES } from '@anniversary/shared/contract/event'
import { MISSION_CODES } from '@anniversary/shared/contract/missions'
import { readTicketCode } from '@anniversary/shared/readers/ticket-code'
import type { Command } from 'commander'
import { setReached } from '../backoffice/derive-missions.ts'
import { lockMembersOf } from '../backoffice/ledger.ts'
import { type Database, type Queryable, rowOf, rowsOf } from '../database/database.ts'
import { accountKeys, pseudonymKey } from '../login/credentials.ts'
import { forgetAttempts, unlockAccount } from '../login/login-guard.ts'
import { findMember } from '../login/members.ts'
import { endSessions } from '../login/session.ts'
import { findMission } from '../missions/rules.ts'
import { CLAIM_DEADLINES } from '../missions/stages.ts'
import { type Change, recordChange } from './audit.ts'
import { onDatabase, reasonOption } from './command.ts'

/** A change by an operator, in the transaction of its audit row. Throws a sentence for the operator. */
export type Correction = (tx: Queryable, args: readonly string[], at: Date) => Promise<Change>

async function lockMember(tx: Queryable, account: string): Promise<{ id: string; key: string }> {
  const member = await findMember(tx, accountKeys(account))
  const id = member && (await lockMembersOf(tx, [{ username: member.account }]))(member.account)
  if (id === undefined) throw new Error(`no member is called ${account}`)
  return { id, key: member?.accountKey ?? '' }
}

const lockTicket = rowOf<never, [code: string]>(
  'SELECT FROM ticket WHERE code = $1 FOR NO KEY UPDATE',
)

const readTicket = rowOf<
  {
    code: string
    isVoid: boolean
    draw: number | null
    prize: string | null
    tradedAt: string | null
  },
  [code: string]
>(
  `SELECT t.code, t.voided_at IS NOT NULL AS "isVoid", d.draw, d.prize, event_time(g.traded_at) AS "tradedAt"
   FROM ticket t LEFT JOIN draw_result d ON d.ticket_code = t.code
   LEFT JOIN giftcode_trade g ON g.ticket_code = t.code
   WHERE t.code = $1`,
)

async function lockCode(tx: Queryable, text: string) {
  const code = readTicketCode(text)
  if (code === null) throw new Error(`${text} is not a ticket code (mistyped?)`)
  // Read after the lock, which an exchange may have held.
  await lockTicket(tx, code)
  const ticket = await readTicket(tx, code)
  if (!ticket) throw new Error(`there is no ticket ${code}`)
  return ticket
}

export const unlock: Correction = async (tx, [account = '']) => {
  const { id, key } = await lockMember(tx, account)
  return { memberId: id, detail: { locks: (await unlockAccount(tx, key)).length } }
}

const logout: Correction = async (tx, [account = '']) => {
  const { id } = await lockMember(tx, account)
  return { memberId: id, detail: { sessions: (await endSessions(tx, [id])).length } }
}

const setBanned = rowOf<object, [memberId: string, isBanned: boolean]>(
  `UPDATE member SET banned_at = CASE WHEN $2::bool THEN now() END
   WHERE id = $1 AND (banned_at IS NULL) = $2 RETURNING 1`,
)
// Waits for logins that have read the member before the ban, so that their sessions end too. New logins wait.
const lockSessions = rowOf<never, []>('LOCK TABLE session IN SHARE ROW EXCLUSIVE MODE')
/** Expires the sessions of a banned member but keeps their rows, so that calls can be answered with the reason. */
const expireSessions = rowsOf<never, [memberId: string]>(
  'UPDATE session SET expires_at = now() WHERE member_id = $1 AND expires_at > now()',
)

export const ban: Correction = async (tx, [account = '']) => {
  await lockSessions(tx)
  const { id } = await lockMember(tx, account)
  if (!(await setBanned(tx, id, true))) throw new Error(`${account} is banned already`)
  await expireSessions(tx, id)
  return { memberId: id }
}

export const unban: Correction = async (tx, [account = '']) => {
  const { id } = await lockMember(tx, account)
  if (!(await setBanned(tx, id, false))) throw new Error(`${account} is not banned`)
  return { memberId: id }
}

const setVoid = rowOf<never, [code: string, isVoid: boolean]>(
  'UPDATE ticket SET voided_at = CASE WHEN $2::bool THEN now() END WHERE code = $1',
)

export const voidTicket: Correction = async (tx, [text = '']) => {
  const { code, isVoid, draw, prize, tradedAt } = await lockCode(tx, text)
  if (isVoid) throw new Error(`${code} is void already`)
  await setVoid(tx, code, true)
  return { subject: code, detail: { draw, prize, exchanged: tradedAt } }
}

export const unvoidTicket: Correction = async (tx, [text = '']) => {
  const { code, isVoid } = await lockCode(tx, text)
  if (!isVoid) throw new Error(`${code} is not void`)
  await setVoid(tx, code, false)
  return { subject: code }
}

const removeDrawResult = rowOf<{ giftcode: string | null }, [code: string]>(
  'DELETE FROM draw_result WHERE ticket_code = $1 RETURNING giftcode',
)

export const undoDraw: Correction = async (tx, [text = '']) => {
  const { code, draw, prize, tradedAt } = await lockCode(tx, text)
  if (draw === null) throw new Error(`${code} has not won`)
  if (tradedAt !== null)
    throw new Error(
      `the prize of ${code} was exchanged at ${tradedAt}; "void" keeps it out of the lists`,
    )
  return { subject: code, detail: { draw, prize, ...(await removeDrawResult(tx, code)) } }
}

/** Removes a completion, so that the ledger or the proof decides again. Returns undefined when there is none. */
const removeCompletion = rowOf<
  { reachedAt: string; claimedAt: string | null },
  [memberId: string, stage: number, mission: string]
>(
  `UPDATE member_mission mm SET reached_by = CASE WHEN mm.proof IS NULL THEN 'activity' ELSE 'proof' END,
     tickets = CASE WHEN mm.claimed_at IS NULL THEN m.tickets ELSE mm.tickets END
   FROM mission m
   WHERE mm.member_id = $1 AND mm.stage = $2 AND mm.mission = $3
     AND mm.reached_by = 'completed' AND m.code = mm.mission
   RETURNING event_time(mm.reached_at) AS "reachedAt", event_time(mm.claimed_at) AS "claimedAt"`,
)

export const undoCompletion: Correction = async (
  tx,
  [account = '', mission = '', stageText = ''],
  at,
) => {
  const { id } = await lockMember(tx, account)
  if (!findMission(mission))
    throw new Error(`there is no mission ${mission}; there are ${MISSION_CODES.join(', ')}`)
  const stage = STAGES.find(({ number }) => String(number) === stageText)?.number
  const removed = stage && (await removeCompletion(tx, id, stage, mission))
  if (!removed)
    throw new Error(
      `the back office has completed no ${mission} of ${account} in stage ${stageText}`,
    )
  await setReached(tx, [id], at)
  return { memberId: id, detail: { mission, stage, ...removed } }
}

// Waits for logins, addresses and claims in progress, so that their rows are removed too. New ones wait.
const lockPersonalData = rowOf<never, []>(
  'LOCK TABLE session, member_address, member_mission IN SHARE ROW EXCLUSIVE MODE',
)

/** Removes the personal data of one member, or of all. No digits match an empty hash, so login is impossible. */
const removePersonalData = rowOf<{ members: number }, [memberId: string | null]>(
  `WITH forgotten AS (
     UPDATE member SET account = 'forgotten-' || id, account_key = '${pseudonymKey('forgotten-')}' || id, bank_hash = ''
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

export const forget: Correction = async (tx, [account = '']) => {
  await lockPersonalData(tx)
  const { id, key } = await lockMember(tx, account)
  await removePersonalData(tx, id)
  await forgetAttempts(tx, key)
  return { memberId: id }
}

export const close: Correction = async (tx, _args, at) => {
  const last = CLAIM_DEADLINES.at(-1)
  if (!last || at <= last)
    throw new Error(
      `prizes can be claimed until ${last?.toISOString()}: too early to close the event`,
    )
  await lockPersonalData(tx)
  await forgetAttempts(tx, null)
  return { detail: { ...(await removePersonalData(tx, null)) } }
}

/** While a correction waits for a table, all writes of members wait behind it. */
const limitLockTime = rowOf<never, []>("SELECT set_config('lock_timeout', '1s', true)")

/** Makes a change and its audit row in one transaction. */
export const correct = (
  database: Database,
  change: (tx: Queryable) => Promise<Change>,
  by: Parameters<typeof recordChange>[2],
) =>
  database.transaction(async (tx) => {
    await limitLockTime(tx)
    const changed = await change(tx)
    await recordChange(tx, changed, by)
    return changed
  })

export function addCorrections(program: Command): void {
  const add = (usage: string, about: string, apply: Correction, needsReason = true) => {
    const command = program
      .command(usage)
      .description(about)
      .addOption(reasonOption().makeOptionMandatory(needsReason))
    command.action(
      onDatabase(async ({ name, database, now }) => {
        const what = command.name()
        const by = { who: name, what, why: command.opts().reason }
        const { detail } = await correct(database, (tx) => apply(tx, command.args, now()), by)
        console.log(
          [what, ...command.args, 'done', detail && JSON.stringify(detail)]
            .filter(Boolean)
            .join(' '),
        )
      }),
    )
  }
  add('unlock <account>', "removes a member's failed logins and locks", unlock, false)
  add('logout <account>', 'ends every session of a member', logout, false)
  add(
    'ban <account>',
    "refuses a member's calls and keeps the member's tickets out of draws and prizes",
    ban,
  )
  add('unban <account>', 'lifts a ban', unban, false)
  add(
    'void <code>',
    'keeps a ticket out of draws and prizes; it stays one of the six of its stage',
    voidTicket,
  )
  add('unvoid <code>', 'makes a void ticket valid again', unvoidTicket, false)
  add(
    'undo-completion <account> <mission> <stage>',
    'removes a completion by the back office; a claimed mission keeps its tickets and is marked for review',
    undoCompletion,
  )
  add('undo-draw <code>', 'removes a result of a draw, unless its prize was exchanged', undoDraw)
  add(
    'forget <account>',
    "removes a member's personal data for good; tickets stay under a pseudonym",
    forget,
  )
  add('close', 'forgets every member, after the last day on which a prize can be claimed', close)
}
