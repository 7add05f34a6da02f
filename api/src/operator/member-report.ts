import { STAGES } from '@anniversary/shared/contract/event'
import { MISSIONS, type MissionKind, type MissionRule } from '@anniversary/shared/contract/missions'
import { readTotals } from '../backoffice/ledger.ts'
import { type Queryable, rowOf, rowsOf } from '../database/database.ts'
import { accountKey, pseudonymKey } from '../login/credentials.ts'
import { readFailures } from '../login/login-guard.ts'
import { COUNTING, type StageActivity } from '../missions/rules.ts'
import { longestStreak } from '../missions/streak.ts'
import { type AuditRow, readAudit } from './audit.ts'

const memberRow = rowOf<
  { id: string; account: string; createdAt: string; bannedAt: string | null; address: string },
  [accountKey: string, pseudonymKey: string]
>(
  'show-member',
  `SELECT m.id, m.account, event_time(m.created_at) AS "createdAt", event_time(m.banned_at) AS "bannedAt",
     CASE WHEN EXISTS (SELECT FROM member_address a WHERE a.member_id = m.id) THEN 'saved'
          WHEN m.address_required THEN 'asked for' ELSE 'not needed' END AS address
   FROM member m WHERE m.account_key IN ($1, $2)`,
)

type Key = [memberId: string]

interface MissionRow {
  readonly stage: number
  readonly mission: string
  readonly reachedBy: 'activity' | 'completed' | 'proof'
  readonly reachedAt: string | null
  readonly claimedAt: string | null
  readonly proof: unknown
  readonly needsReview: boolean
  /** In words: the codes, and what became of them. */
  readonly tickets: string | null
}

const missionRows = rowsOf<MissionRow, Key>(
  'show-missions',
  `SELECT mm.stage, mm.mission, mm.reached_by AS "reachedBy", event_time(mm.reached_at) AS "reachedAt",
     event_time(mm.claimed_at) AS "claimedAt", mm.proof, mm.needs_review AS "needsReview", (
       SELECT string_agg(concat(t.code, CASE WHEN t.voided_at IS NOT NULL THEN ' (void)' END,
           ' (won ' || d.prize || ' in draw ' || d.draw || coalesce(', exchanged ' || event_time(g.traded_at), '') || ')'
         ), ', ' ORDER BY t.slot)
       FROM ticket t LEFT JOIN draw_result d ON d.ticket_code = t.code
       LEFT JOIN giftcode_trade g ON g.ticket_code = t.code
       WHERE (t.member_id, t.stage, t.mission) = (mm.member_id, mm.stage, mm.mission)) AS tickets
   FROM member_mission mm WHERE mm.member_id = $1`,
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

export const numberText = (n: number) => n.toLocaleString('en')

const plural = (n: number, what: string) => `${numberText(n)} ${what}${n === 1 ? '' : 's'}`
const points = (cents: number) => cents / 100

const WANTED: Readonly<Record<MissionKind, string>> = {
  'deposit-total': 'points of deposits',
  'bet-total': 'points of bets',
  'deposit-count': 'deposits',
  streak: 'days in a row with a deposit',
  share: 'shared links',
}

/** What a mission lacks; undefined: nothing, or the member's proof decides. */
function missingFor(
  { kind, goal }: MissionRule,
  sums: StageActivity,
  daysInARow: number,
): string | undefined {
  const have = kind === 'streak' ? daysInARow : COUNTING[kind].of?.(sums)
  if (have === undefined || goal === undefined || have >= goal) return undefined
  return `missing ${numberText(goal - have)} of ${numberText(goal)} ${WANTED[kind]}`
}

const BY = {
  activity: 'by the ledger',
  completed: "by the back office's word",
  proof: "by the member's proof",
} as const

function missionText(row: MissionRow | undefined, missing: string | undefined): string {
  if (row?.claimedAt) {
    const review = row.needsReview ? '; FOR REVIEW: the ledger carries it no longer' : ''
    const proven = row.proof ? `; proof ${JSON.stringify(row.proof)}` : ''
    return `claimed ${row.claimedAt}: ${row.tickets}${review}${proven}`
  }
  if (row?.reachedAt) return `reached ${row.reachedAt} ${BY[row.reachedBy]}, not claimed`
  return missing ?? (row ? 'taken back by a reversal' : 'open: the member has to send a proof')
}

export function changeText({ at, who, what, subject, why, detail }: AuditRow): string {
  const details = Object.keys(detail).length > 0 ? `  ${JSON.stringify(detail)}` : ''
  return `${at}  ${who}  ${what} ${subject}${why === null ? '' : `: ${why}`}${details}`
}

const section = (heading: string, none: readonly string[], lines: readonly string[]) =>
  lines.length > 0 ? [heading, ...lines.map((line) => `  ${line}`)] : none

/** All that a support desk asks about a member, in lines; times are of the event's zone. */
export async function memberReport(db: Queryable, account: string): Promise<string[]> {
  const key = accountKey(account)
  const member = await memberRow(db, key, pseudonymKey(key))
  if (!member) throw new Error(`no member is called ${account}`)
  const { id, createdAt, bannedAt, address } = member
  const totals = await readTotals(db, [id])
  const missions = await missionRows(db, id)
  const days = (await depositDays(db, id)).map(({ day }) => day)

  const stages = STAGES.flatMap(({ number: stage, firstDay, lastDay }) => {
    const own = missions.filter((row) => row.stage === stage)
    const activity = totals.find((total) => total.stage === stage)
    if (!activity && own.length === 0) return [`stage ${stage}: nothing`]
    const { deposits, depositCents, betCents } = activity ?? { deposits: 0, depositCents: 0, betCents: 0 }
    const inARow = longestStreak(days.filter((day) => day >= firstDay && day <= lastDay))
    const sums = `${plural(points(depositCents), 'point')} in ${plural(deposits, 'deposit')}, ${plural(inARow, 'day')} in a row`
    return [
      `stage ${stage}: ${sums}; ${plural(points(betCents), 'point')} of bets`,
      ...MISSIONS.map((rule) => {
        const { code } = rule
        const missing = missingFor(rule, { deposits, depositCents, betCents }, inARow)
        const row = own.find(({ mission }) => mission === code)
        return `  ${code.padEnd(11)}${missionText(row, missing)}`
      }),
    ]
  })
  const refused = (await refusals(db, id)).map(
    ({ stage, mission, reason, times, lastAt }) =>
      `stage ${stage}  ${mission}: ${reason}, ${plural(times, 'time')}, last ${lastAt}`,
  )
  const failures = (await readFailures(db, key)).map(({ attempts, lockedUntil, isKnownDevice }) => {
    const lock = lockedUntil ? `, LOCKED until ${lockedUntil}` : ''
    return `${attempts} on ${isKnownDevice ? 'a device of the member' : 'unknown devices'}${lock}`
  })
  const open = (await sessions(db, id)).map((one) => `since ${one.createdAt}, until ${one.expiresAt}`)
  return [
    `${member.account}, member since ${createdAt}; address ${address}`,
    ...(bannedAt ? [`BANNED since ${bannedAt}`] : []),
    ...stages,
    ...section('refused claims:', ['no claim was refused'], refused),
    ...section('sessions:', ['no session'], open),
    ...section('failed logins since the last right one:', ['no failed login'], failures),
    ...section('changes by operators:', [], (await readAudit(db, [key, pseudonymKey(key)])).map(changeText)),
  ]
}
