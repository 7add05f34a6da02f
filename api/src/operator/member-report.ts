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
    const review = row.needsReview ? '; FOR REVIEW: the ledger no longer reaches it' : ''
    const proven = row.proof ? `; proof ${JSON.stringify(row.proof)}` : ''
    return `claimed ${row.claimedAt}: ${row.tickets}${review}${proven}`
  }
  if (row.reachedAt) return `reached ${row.reachedAt} by ${row.reachedBy}, not claimed`
  if (row.reachedBy) return 'taken back by a reversal'
  return (row.have ?? 0) < (row.goal ?? 0) ? 'not reached' : 'open: the member has to send a proof'
}

const isNotable = ({ draw, lists, leftOut }: TicketFacts): boolean =>
  draw !== null || lists.length + leftOut.length > 0

function prizeText({ draw, prize, tradedAt, deliveredAt, isGiftcode, until }: TicketFacts): string {
  const done = tradedAt ?? deliveredAt
  if (done !== null) return `won ${prize} in draw ${draw}, handed over ${done}`
  return `won ${prize} in draw ${draw}, open until ${until}${isGiftcode ? ' (gift code)' : ''}`
}

function ticketText(ticket: TicketFacts): string {
  const { code, stage, mission, claimedAt, voidedAt, draw, lists, leftOut } = ticket
  return [
    `${code}: stage ${stage}, ${mission}, claimed ${claimedAt}`,
    ...(voidedAt === null ? [] : [`VOID since ${voidedAt}`]),
    ...(draw === null ? [] : [prizeText(ticket)]),
    ...lists.map((list) => `number ${formatNumber(list.position)} of list ${list.draw}`),
    ...leftOut.map((list) => `left out of list ${list.draw}: ${list.reason}`),
  ].join('; ')
}

export function formatAuditChange({ at, who, what, subject, why, detail }: AuditRow): string {
  const details = Object.keys(detail).length > 0 ? `  ${JSON.stringify(detail)}` : ''
  const line = `${at}  ${who}  ${what} ${subject}${why === null ? '' : `: ${why}`}${details}`
  // A subject may be a file's name with line breaks.
  return line.replace(/\p{Cc}/gu, '\uFFFD')
}

const section = (heading: string, none: readonly string[], lines: readonly string[]) =>
  lines.length > 0 ? [heading, ...lines.map((line) => `  ${line}`)] : none

function stageLines(stage: number, missions: readonly MissionFacts[]): readonly string[] {
  const rows = missions.filter((row) => row.stage === stage)
  const hasBegun = rows.some(({ reachedBy, have }) => reachedBy !== null || have)
  if (!hasBegun) return [`stage ${stage}: nothing`]

  const lines = rows.map((row) => {
    const { mission, goal, have } = row
    const progress = goal === null ? '' : `${formatNumber(have ?? 0)} of ${formatNumber(goal)}  `
    return `${mission.padEnd(11)}${progress}${missionText(row)}`
  })
  return section(`stage ${stage}:`, [], lines)
}

function failureText({ attempts, lockedUntil, isKnownDevice }: LoginFailure): string {
  const place = isKnownDevice ? 'a device of the member' : 'unknown devices'
  const lock = lockedUntil === null ? '' : `, LOCKED until ${lockedUntil}`
  return `${attempts} on ${place}${lock}`
}

/** Times are in the event's zone. */
export async function memberReport(db: Queryable, typed: string): Promise<string[]> {
  const found = await readMember(db, typed)
  if (!found) {
    const isCode = readTicketCode(typed) !== null
    throw new Error(isCode ? `there is no ticket ${typed}` : `no member is called ${typed}`)
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
  return [
    ...asked.map((ticket) => `ticket ${ticketText(ticket)}, of ${member.account}`),
    `${member.account}, member since ${member.createdAt}; address ${member.address}`,
    ...(member.bannedAt === null ? [] : [`BANNED since ${member.bannedAt}`]),
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
  ]
}
