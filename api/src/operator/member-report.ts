import { STAGES } from '@anniversary/shared/contract/event'
import { readTicketCode } from '@anniversary/shared/readers/ticket-code'
import type { Queryable } from '../database/database.ts'
import type { LoginFailure } from '../login/login-guard.ts'
import type { AuditRow } from './audit.ts'
import { type MissionFacts, readMember, type TicketFacts } from './member-facts.ts'

export const formatNumber = (n: number) => n.toLocaleString('en')

export const countText = (n: number, what: string) =>
  `${formatNumber(n)} ${what}${n === 1 ? '' : 's'}`

function missionText(row: MissionFacts): string {
  if (row.claimedAt) {
    const parts = [`claimed ${row.claimedAt}: ${row.tickets}`]
    if (row.needsReview) parts.push('FOR REVIEW: the ledger no longer gives its tickets')
    if (row.proof) parts.push(`proof ${JSON.stringify(row.proof)}`)
    return parts.join('; ')
  }
  if (row.reachedAt) return `reached ${row.reachedAt} by ${row.reachedBy}, not claimed`
  if (row.reachedBy && row.isUndone)
    return 'taken back by an operator or a reversal: see the changes below'
  if (row.reachedBy) return 'taken back by a reversal or a changed goal'
  if ((row.have ?? 0) < (row.goal ?? 0)) return 'not reached'
  return 'open: the member has to send a proof'
}

const isNotable = ({ draw, lists, leftOut }: TicketFacts): boolean =>
  draw !== null || lists.length + leftOut.length > 0

function prizeText({ draw, prize, tradedAt, deliveredAt, isGiftcode, until }: TicketFacts): string {
  const won = `won ${prize} in draw ${draw}`
  const done = tradedAt ?? deliveredAt
  if (done !== null) return `${won}, handed over ${done}`
  if (isGiftcode) return `${won}, open until ${until} (gift code)`
  return `${won}, open until ${until}`
}

function ticketText(ticket: TicketFacts): string {
  const { code, stage, mission, claimedAt, voidedAt, draw, lists, leftOut } = ticket
  const parts = [`${code}: stage ${stage}, ${mission}, claimed ${claimedAt}`]
  if (voidedAt !== null) parts.push(`VOID since ${voidedAt}`)
  if (draw !== null) parts.push(prizeText(ticket))
  for (const list of lists) parts.push(`number ${formatNumber(list.position)} of list ${list.draw}`)
  for (const list of leftOut) parts.push(`left out of list ${list.draw}: ${list.reason}`)
  return parts.join('; ')
}

/** A proof or a file's name may hold line breaks, or commands for the terminal. */
const printableLine = (line: string) => line.replace(/\p{Cc}/gu, '\uFFFD')

export function formatAuditChange({ at, who, what, subject, why, detail }: AuditRow): string {
  let line = `${at}  ${who}  ${what} ${subject}`
  if (why !== null) line += `: ${why}`
  if (Object.keys(detail).length > 0) line += `  ${JSON.stringify(detail)}`
  return printableLine(line)
}

function section(heading: string, none: readonly string[], lines: readonly string[]) {
  if (lines.length === 0) return none
  return [heading, ...lines.map((line) => `  ${line}`)]
}

function missionLine(row: MissionFacts): string {
  const name = row.mission.padEnd(11)
  if (row.goal === null) return `${name}${missionText(row)}`
  return `${name}${formatNumber(row.have ?? 0)} of ${formatNumber(row.goal)}  ${missionText(row)}`
}

function stageLines(stage: number, missions: readonly MissionFacts[]): readonly string[] {
  const rows = missions.filter((row) => row.stage === stage)
  const hasBegun = rows.some(({ reachedBy, have }) => reachedBy !== null || have)
  if (!hasBegun) return [`stage ${stage}: nothing`]

  return section(`stage ${stage}:`, [], rows.map(missionLine))
}

function failureText({ attempts, lockedUntil, isKnownDevice }: LoginFailure): string {
  const place = isKnownDevice ? 'a device of the member' : 'unknown devices'
  if (lockedUntil === null) return `${attempts} on ${place}`
  return `${attempts} on ${place}, LOCKED until ${lockedUntil}`
}

/** Times are in the event's zone. */
export async function memberReport(db: Queryable, typed: string): Promise<string[]> {
  const found = await readMember(db, typed)
  if (!found) {
    if (readTicketCode(typed) !== null) throw new Error(`there is no ticket ${typed}`)
    throw new Error(`no member is called ${typed}`)
  }

  const { member, code, missions, tickets } = found
  const asked = tickets.filter((ticket) => ticket.code === code)
  const refusals = found.refusals.map(
    ({ stage, mission, reason, times, lastAt }) =>
      `stage ${stage}  ${mission}: ${reason}, ${countText(times, 'time')}, last ${lastAt}`,
  )
  const sessions = found.sessions.map(
    (session) => `since ${session.createdAt}, until ${session.expiresAt}`,
  )
  const head = [
    ...asked.map((ticket) => `ticket ${ticketText(ticket)}, of ${member.account}`),
    `${member.account}, member since ${member.createdAt}; address ${member.address}`,
  ]
  if (member.bannedAt !== null) head.push(`BANNED since ${member.bannedAt}`)
  return [
    ...head,
    ...STAGES.flatMap(({ number }) => stageLines(number, missions)),
    ...section('prizes and lists:', [], tickets.filter(isNotable).map(ticketText)),
    ...section('refused claims:', ['no claim was refused'], refusals),
    ...section('sessions:', ['no session'], sessions),
    ...section(
      'failed logins since the last right one:',
      ['no failed login'],
      found.failures.map(failureText),
    ),
    ...section('changes by operators:', [], found.changes.map(formatAuditChange)),
  ].map(printableLine)
}
