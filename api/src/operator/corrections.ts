import { MISSION_CODES } from '@anniversary/shared/contract/event'
import { deriveMissions, reachedBy, setReached } from '../backoffice/derive-missions.ts'
import { lockMembersByKey, recountActivity } from '../backoffice/ledger.ts'
import { parseTicketCode } from '../claim/ticket-code.ts'
import { type Queryable, rowOf, rowsOf } from '../database/database.ts'
import { accountKey } from '../login/credentials.ts'
import { unlockAccount } from '../login/login-guard.ts'
import { endSessions } from '../login/session.ts'
import { isMissionCode } from '../missions/rules.ts'
import type { Change } from './audit.ts'

/** What an operator puts right by hand, in the transaction of its audit row. Throws one line that says what to do. */
export type Correction = (tx: Queryable, args: Args, at: Date) => Promise<Change>
type Args = readonly string[]

async function lockMember(tx: Queryable, account: string): Promise<{ id: string; key: string }> {
  const key = accountKey(account)
  const id = (await lockMembersByKey(tx, [key])).get(key)
  if (id === undefined) throw new Error(`no member is called ${account}`)
  return { id, key }
}

async function lockCode(tx: Queryable, text: string): Promise<TicketState & { code: string }> {
  const code = parseTicketCode(text)
  if (code === null) throw new Error(`${text} is not a ticket code (mistyped?)`)
  const ticket = await lockTicket(tx, code)
  if (!ticket) throw new Error(`there is no ticket ${code}`)
  return { ...ticket, code }
}

export async function unlock(tx: Queryable, [account = '']: Args): Promise<Change> {
  const { key } = await lockMember(tx, account)
  return { subject: key, detail: { locks: (await unlockAccount(tx, key)).length } }
}

export async function logout(tx: Queryable, [account = '']: Args): Promise<Change> {
  const { id, key } = await lockMember(tx, account)
  return { subject: key, detail: { sessions: (await endSessions(tx, [id])).length } }
}

/** A banned member's calls are refused with the server's message, and the tickets take part in nothing. */
export async function ban(tx: Queryable, [account = '']: Args): Promise<Change> {
  const { id, key } = await lockMember(tx, account)
  if (!(await setBanned(tx, id, true))) throw new Error(`${account} is banned already`)
  await expireSessions(tx, id)
  return { subject: key }
}

export async function unban(tx: Queryable, [account = '']: Args): Promise<Change> {
  const { id, key } = await lockMember(tx, account)
  if (!(await setBanned(tx, id, false))) throw new Error(`${account} is not banned`)
  return { subject: key }
}

/** The ticket keeps its slot of the stage's six, and takes part in nothing. */
export async function voidTicket(tx: Queryable, [text = '']: Args): Promise<Change> {
  const { code, account, isVoid, draw, prize, tradedAt } = await lockCode(tx, text)
  if (isVoid) throw new Error(`${code} is void already`)
  await setVoid(tx, code, true)
  return { subject: code, detail: { account, draw, prize, exchanged: tradedAt } }
}

export async function unvoidTicket(tx: Queryable, [text = '']: Args): Promise<Change> {
  const { code, account, isVoid } = await lockCode(tx, text)
  if (!isVoid) throw new Error(`${code} is not void`)
  await setVoid(tx, code, false)
  return { subject: code, detail: { account } }
}

export async function undoDraw(tx: Queryable, [text = '']: Args): Promise<Change> {
  const { code, account, draw, prize, tradedAt } = await lockCode(tx, text)
  if (draw === null) throw new Error(`${code} has not won`)
  if (tradedAt !== null)
    throw new Error(`the prize of ${code} was exchanged at ${tradedAt}; "void" keeps it out of the lists`)
  const removed = await removeDrawResult(tx, code)
  return { subject: code, detail: { account, draw, prize, ...removed } }
}

/** Takes a completion of the back office back; a claimed mission keeps its tickets and is marked for review. */
export async function undoCompletion(
  tx: Queryable,
  [account = '', mission = '', stageText = '']: Args,
  at: Date,
): Promise<Change> {
  const { id, key } = await lockMember(tx, account)
  if (!isMissionCode(mission))
    throw new Error(`there is no mission ${mission}; there are ${MISSION_CODES.join(', ')}`)
  const stage = Number(stageText)
  const removed = /^[123]$/.test(stageText) ? await removeCompletion(tx, id, stage, mission) : undefined
  if (!removed)
    throw new Error(`the back office has completed no ${mission} of ${account} in stage ${stageText}`)
  await setReached(tx, [id], reachedBy(await recountActivity(tx, [id])), at)
  return { subject: key, detail: { mission, stage, ...removed } }
}

/** Makes a reversal count no more: what it took back counts again, and another reversal of it is accepted. */
export async function undoReversal(tx: Queryable, [source = '', ref = '']: Args, at: Date): Promise<Change> {
  const found = await findReversal(tx, source, ref)
  if (!found) throw new Error(`there is no reversal ${ref} of ${source}`)
  const { id, key } = await lockMember(tx, found.account)
  const undone = await undoReversalRow(tx, source, ref)
  if (!undone) throw new Error(`the reversal ${ref} of ${source} is undone already`)
  const { reverses } = undone
  await deriveMissions(
    tx,
    [{ source, ref, memberId: id, kind: 'reversal', amount: 0, occurredAt: at, reverses }],
    at,
  )
  return { subject: key, detail: { source, ref, reverses } }
}

/** Bans a member, or takes the ban back. Undefined: nothing changed. */
const setBanned = rowOf<object, [memberId: string, isBanned: boolean]>(
  'member-set-banned',
  `UPDATE member SET banned_at = CASE WHEN $2::bool THEN now() END
   WHERE id = $1 AND (banned_at IS NULL) = $2 RETURNING 1`,
)

// Waits for logins that read the member before the ban, so that their sessions end too; new ones wait.
const lockSessions = rowsOf<never, []>('sessions-lock', 'LOCK TABLE session IN SHARE MODE')
const expire = rowsOf<never, [memberId: string]>(
  'sessions-expire',
  'UPDATE session SET expires_at = now() WHERE member_id = $1 AND expires_at > now()',
)

/** Ends the sessions of a banned member, but keeps them, so that their calls can say why. */
async function expireSessions(tx: Queryable, memberId: string): Promise<void> {
  await lockSessions(tx)
  await expire(tx, memberId)
}

interface TicketState {
  readonly account: string
  readonly isVoid: boolean
  readonly draw: number | null
  readonly prize: string | null
  readonly tradedAt: string | null
}

const lockTicket = rowOf<TicketState, [code: string]>(
  'ticket-state',
  `SELECT o.account_key AS account, t.voided_at IS NOT NULL AS "isVoid", d.draw, d.prize,
     event_time(g.traded_at) AS "tradedAt"
   FROM ticket t JOIN member o ON o.id = t.member_id
   LEFT JOIN draw_result d ON d.ticket_code = t.code
   LEFT JOIN giftcode_trade g ON g.ticket_code = t.code
   WHERE t.code = $1 FOR UPDATE OF t`,
)

const setVoid = rowOf<never, [code: string, isVoid: boolean]>(
  'ticket-void',
  'UPDATE ticket SET voided_at = CASE WHEN $2::bool THEN now() END WHERE code = $1',
)

const removeDrawResult = rowOf<{ giftcode: string | null }, [code: string]>(
  'draw-remove',
  'DELETE FROM draw_result WHERE ticket_code = $1 RETURNING giftcode',
)

/** The ledger or the proof decides again. Undefined: there is no completion. */
const removeCompletion = rowOf<
  { reachedAt: string; claimedAt: string | null },
  [memberId: string, stage: number, mission: string]
>(
  'completion-withdraw',
  `UPDATE member_mission mm SET reached_by = CASE WHEN mm.proof IS NULL THEN 'activity' ELSE 'proof' END,
     tickets = CASE WHEN mm.claimed_at IS NULL THEN m.tickets ELSE mm.tickets END
   FROM mission m
   WHERE mm.member_id = $1 AND mm.stage = $2 AND mm.mission = $3
     AND mm.reached_by = 'completed' AND m.code = mm.mission
   RETURNING event_time(mm.reached_at) AS "reachedAt", event_time(mm.claimed_at) AS "claimedAt"`,
)

const findReversal = rowOf<{ account: string }, [source: string, ref: string]>(
  'reversal-owner',
  `SELECT o.account_key AS account FROM activity a JOIN member o ON o.id = a.member_id
   WHERE a.source = $1 AND a.ref = $2 AND a.kind = 'reversal'`,
)

/** Makes a reversal count no more. Undefined: it was undone before. */
const undoReversalRow = rowOf<{ reverses: string }, [source: string, ref: string]>(
  'reversal-undo',
  `UPDATE activity SET undone_at = now()
   WHERE source = $1 AND ref = $2 AND kind = 'reversal' AND undone_at IS NULL RETURNING reverses`,
)
