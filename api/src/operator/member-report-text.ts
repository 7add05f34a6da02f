import type { AuditRow } from './audit.ts'
import type { MemberReport } from './member-report.ts'
import { numberText } from './number-text.ts'

type ShownTicket = MemberReport['tickets'][number]
type ShownMission = MemberReport['stages'][number]['missions'][number]

const plural = (n: number, what: string) => `${numberText(n)} ${what}${n === 1 ? '' : 's'}`

export function changeText({ at, who, what, subject, why, detail }: AuditRow): string {
  const details = Object.keys(detail).length > 0 ? `  ${JSON.stringify(detail)}` : ''
  return `${at}  ${who}  ${what} ${subject}${why === null ? '' : `: ${why}`}${details}`
}

function ticketText({ code, isVoid, draw, prize, exchangedAt }: ShownTicket): string {
  const won =
    draw === null ? '' : ` (won ${prize} in draw ${draw}${exchangedAt ? `, exchanged ${exchangedAt}` : ''})`
  return `${code}${isVoid ? ' (void)' : ''}${won}`
}

const BY = {
  activity: 'by the ledger',
  completed: "by the back office's word",
  proof: "by the member's proof",
} as const

function missionText(mission: ShownMission, tickets: readonly ShownTicket[]): string {
  const { claimedAt, reachedAt, reachedBy, missing, needsReview, proof } = mission
  if (claimedAt) {
    const review = needsReview ? '; FOR REVIEW: the ledger carries it no longer' : ''
    const proven = proof ? `; proof ${JSON.stringify(proof)}` : ''
    return `claimed ${claimedAt}: ${tickets.map(ticketText).join(', ')}${review}${proven}`
  }
  if (reachedAt) return `reached ${reachedAt} ${BY[reachedBy ?? 'activity']}, not claimed`
  if (missing) return `missing ${missing}`
  return reachedBy ? 'taken back by a reversal' : 'open: the member has to send a proof'
}

export function* memberReportText(report: MemberReport): Iterable<string> {
  yield `${report.account}, member since ${report.createdAt}; address ${report.address}`
  if (report.bannedAt) yield `BANNED since ${report.bannedAt}`
  for (const { stage, deposits, depositPoints, betPoints, depositDaysInARow, missions } of report.stages) {
    if (deposits === 0 && betPoints === 0 && missions.every(({ reachedBy }) => !reachedBy)) {
      yield `stage ${stage}: nothing`
      continue
    }
    yield `stage ${stage}: ${plural(depositPoints, 'point')} in ${plural(deposits, 'deposit')}, ${plural(depositDaysInARow, 'day')} in a row; ${plural(betPoints, 'point')} of bets`
    for (const shown of missions) {
      const own = report.tickets.filter((t) => t.stage === stage && t.mission === shown.mission)
      yield `  ${shown.mission.padEnd(11)}${missionText(shown, own)}`
    }
  }
  yield report.refusals.length > 0 ? 'refused claims:' : 'no claim was refused'
  for (const { stage, mission, reason, times, lastAt } of report.refusals)
    yield `  stage ${stage}  ${mission}: ${reason}, ${plural(times, 'time')}, last ${lastAt}`
  yield report.sessions.length > 0 ? 'sessions:' : 'no session'
  for (const { createdAt, expiresAt } of report.sessions) yield `  since ${createdAt}, until ${expiresAt}`
  yield report.failedLogins.length > 0 ? 'failed logins since the last right one:' : 'no failed login'
  for (const { attempts, lockedUntil, isKnownDevice } of report.failedLogins)
    yield `  ${attempts} on ${isKnownDevice ? 'a device of the member' : 'unknown devices'}${lockedUntil ? `, LOCKED until ${lockedUntil}` : ''}`
  if (report.changes.length > 0) yield 'changes by operators:'
  for (const change of report.changes) yield `  ${changeText(change)}`
}
