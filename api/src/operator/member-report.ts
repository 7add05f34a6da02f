import { MISSION_CODES, type MissionCode, STAGES, STREAK_DAYS } from '@anniversary/shared/contract/event'
import { readTotals } from '../backoffice/ledger.ts'
import { type Queryable, rowOf, rowsOf } from '../database/database.ts'
import { accountKey } from '../login/credentials.ts'
import { readFailures } from '../login/login-guard.ts'
import { MISSION_RULES, type StageActivity } from '../missions/rules.ts'
import { longestStreak } from '../missions/streak.ts'
import { type AuditRow, readAudit } from './audit.ts'
import { numberText } from './number-text.ts'

const memberRow = rowOf<
  {
    id: string
    account: string
    createdAt: string
    bannedAt: string | null
    address: 'saved' | 'asked for' | 'not needed'
  },
  [accountKey: string]
>(
  'show-member',
  `SELECT m.id, m.account, event_time(m.created_at) AS "createdAt", event_time(m.banned_at) AS "bannedAt",
     CASE WHEN EXISTS (SELECT FROM member_address a WHERE a.member_id = m.id) THEN 'saved'
          WHEN m.address_required THEN 'asked for' ELSE 'not needed' END AS address
   FROM member m WHERE m.account_key = $1`,
)

type Key = [memberId: string]

interface TicketRow {
  readonly stage: number
  readonly mission: string
  readonly code: string
  readonly isVoid: boolean
  readonly draw: number | null
  readonly prize: string | null
  readonly exchangedAt: string | null
}

const tickets = rowsOf<TicketRow, Key>(
  'show-tickets',
  `SELECT t.stage, t.mission, t.code, t.voided_at IS NOT NULL AS "isVoid", d.draw, d.prize,
     event_time(g.traded_at) AS "exchangedAt"
   FROM ticket t LEFT JOIN draw_result d ON d.ticket_code = t.code
   LEFT JOIN giftcode_trade g ON g.ticket_code = t.code
   WHERE t.member_id = $1 ORDER BY t.stage, t.slot`,
)

interface MissionRow {
  readonly stage: number
  readonly mission: string
  readonly reachedBy: 'activity' | 'completed' | 'proof'
  readonly reachedAt: string | null
  readonly claimedAt: string | null
  readonly proof: unknown
  readonly needsReview: boolean
}

const missionRows = rowsOf<MissionRow, Key>(
  'show-missions',
  `SELECT stage, mission, reached_by AS "reachedBy", event_time(reached_at) AS "reachedAt",
     event_time(claimed_at) AS "claimedAt", proof, needs_review AS "needsReview"
   FROM member_mission WHERE member_id = $1`,
)

const depositDays = rowsOf<{ day: string }, Key>(
  'show-deposit-days',
  `SELECT DISTINCT a.day::text AS day FROM counted_activity a WHERE a.member_id = $1 AND a.kind = 'deposit'`,
)

const refusals = rowsOf<
  { stage: number; mission: string; reason: string; times: number; lastAt: string },
  Key
>(
  'show-refusals',
  `SELECT stage, mission, reason, times, event_time(last_at) AS "lastAt" FROM claim_refusal
   WHERE member_id = $1 ORDER BY claim_refusal.last_at DESC`,
)

const sessions = rowsOf<{ createdAt: string; expiresAt: string }, Key>(
  'show-sessions',
  `SELECT event_time(created_at) AS "createdAt", event_time(expires_at) AS "expiresAt" FROM session
   WHERE member_id = $1 AND expires_at > now() ORDER BY session.created_at DESC`,
)

const points = (cents: number) => cents / 100

function missingFor(mission: MissionCode, activity: StageActivity, daysInARow: number): string | undefined {
  const rule = MISSION_RULES[mission]
  const lacking = (have: number, want: number, what: string) =>
    have < want ? `${numberText(want - have)} of ${numberText(want)} ${what}` : undefined
  switch (rule.kind) {
    case 'deposit-total':
      return lacking(points(activity.depositCents), rule.points, 'points of deposits')
    case 'bet-total':
      return lacking(points(activity.betCents), rule.points, 'points of bets')
    case 'deposit-count':
      return lacking(activity.deposits, rule.times, 'deposits')
    case 'streak':
      return lacking(daysInARow, STREAK_DAYS, 'days in a row with a deposit')
    case 'share':
      return undefined
  }
}

/** All that a support desk asks about a member; times are of the event's zone. */
export type MemberReport = Awaited<ReturnType<typeof readMemberReport>>

export async function readMemberReport(db: Queryable, account: string) {
  const key = accountKey(account)
  const found = await memberRow(db, key)
  if (!found) throw new Error(`no member is called ${account}`)
  const { id, ...member } = found
  const [totals, missions, days] = await Promise.all([
    readTotals(db, [id]),
    missionRows(db, id),
    depositDays(db, id),
  ])
  const stages = STAGES.map(({ number: stage, firstDay, lastDay }) => {
    const activity = totals.find((total) => total.stage === stage) ?? {
      depositCents: 0,
      betCents: 0,
      deposits: 0,
    }
    const inStage = days.map(({ day }) => day).filter((day) => day >= firstDay && day <= lastDay)
    const depositDaysInARow = longestStreak(inStage)
    return {
      stage,
      deposits: activity.deposits,
      depositPoints: points(activity.depositCents),
      betPoints: points(activity.betCents),
      depositDaysInARow,
      missions: MISSION_CODES.map((mission) => ({
        ...missions.find((row) => row.stage === stage && row.mission === mission),
        mission,
        /** For a person; undefined: nothing, or the member's proof decides. */
        missing: missingFor(mission, activity, depositDaysInARow),
      })),
    }
  })
  return {
    ...member,
    stages,
    tickets: await tickets(db, id),
    refusals: await refusals(db, id),
    sessions: await sessions(db, id),
    failedLogins: await readFailures(db, key),
    changes: await readAudit(db, key),
  }
}

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
