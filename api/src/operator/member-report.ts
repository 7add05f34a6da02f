import { STAGES } from '@anniversary/shared/contract/event'
import { type Queryable, rowOf, rowsOf } from '../database/database.ts'
import { accountKey, accountKeys, pseudonymKey } from '../login/credentials.ts'
import { readFailures } from '../login/login-guard.ts'
import { countedSum, longestStreak, NEEDS_REVIEW } from '../missions/rules.ts'
import { STAGE_ROWS } from '../missions/stages.ts'
import { type AuditRow, readAudit } from './audit.ts'

const memberRow = rowOf<
  {
    id: string
    account: string
    accountKey: string
    createdAt: string
    bannedAt: string | null
    address: string
  },
  [accountKeys: readonly string[]]
>(
  `SELECT m.id, m.account, m.account_key AS "accountKey", event_time(m.created_at) AS "createdAt", event_time(m.banned_at) AS "bannedAt",
     CASE WHEN EXISTS (SELECT FROM member_address a WHERE a.member_id = m.id) THEN 'saved'
          WHEN m.address_required THEN 'asked for' ELSE 'not needed' END AS address
   FROM member m WHERE m.account_key = ANY($1::text[])
   ORDER BY array_position($1::text[], m.account_key) LIMIT 1`,
)

type Key = [memberId: string]

interface MissionRow {
  readonly stage: number
  readonly mission: string
  readonly goal: number | null
  /** Progress towards the goal. Null when the member's proof decides. */
  readonly have: number | null
  readonly reachedBy: 'activity' | 'completed' | 'proof' | null
  readonly reachedAt: string | null
  readonly claimedAt: string | null
  readonly proof: unknown
  readonly needsReview: boolean
  /** The codes, and whether they are void, have won or were exchanged. */
  readonly tickets: string | null
}

const missionRows = rowsOf<MissionRow, Key>(
  `SELECT s.stage, m.code AS mission, m.goal, mm.reached_by AS "reachedBy",
     (CASE m.kind WHEN 'streak' THEN ${longestStreak({ memberId: '$1', stage: 's.stage', first: 's.first_day', last: 's.last_day' })}
       ELSE ${countedSum('m.kind', 'sa')} END)::float8 AS have,
     event_time(mm.reached_at) AS "reachedAt", event_time(mm.claimed_at) AS "claimedAt", mm.proof,
     ${NEEDS_REVIEW} AS "needsReview", (
       SELECT string_agg(concat(t.code, CASE WHEN t.voided_at IS NOT NULL THEN ' (void)' END,
           ' (won ' || d.prize || ' in draw ' || d.draw || coalesce(', exchanged ' || event_time(g.traded_at), '') || ')'
         ), ', ' ORDER BY t.slot)
       FROM ticket t LEFT JOIN draw_result d ON d.ticket_code = t.code
       LEFT JOIN giftcode_trade g ON g.ticket_code = t.code
       WHERE (t.member_id, t.stage, t.mission) = (mm.member_id, mm.stage, mm.mission)) AS tickets
   FROM ${STAGE_ROWS} CROSS JOIN mission m
   LEFT JOIN member_mission mm ON (mm.member_id, mm.stage, mm.mission) = ($1, s.stage, m.code)
   LEFT JOIN stage_activity sa ON (sa.member_id, sa.stage) = ($1, s.stage)
   ORDER BY s.stage, m.position`,
)

const refusals = rowsOf<
  { stage: number; mission: string; reason: string; times: number; lastAt: string },
  Key
>(
  `SELECT stage, mission, reason, times, event_time(last_at) AS "lastAt" FROM claim_refusal
   WHERE member_id = $1 ORDER BY claim_refusal.last_at DESC`,
)

const sessions = rowsOf<{ createdAt: string; expiresAt: string }, Key>(
  `SELECT event_time(created_at) AS "createdAt", event_time(expires_at) AS "expiresAt" FROM session
   WHERE member_id = $1 AND expires_at > now() ORDER BY session.created_at DESC`,
)

export const numberText = (n: number) => n.toLocaleString('en')

export const plural = (n: number, what: string) => `${numberText(n)} ${what}${n === 1 ? '' : 's'}`

function missionText(row: MissionRow): string {
  if (row.claimedAt) {
    const review = row.needsReview ? '; FOR REVIEW: the ledger no longer reaches it' : ''
    const proven = row.proof ? `; proof ${JSON.stringify(row.proof)}` : ''
    return `claimed ${row.claimedAt}: ${row.tickets}${review}${proven}`
  }
  if (row.reachedAt) return `reached ${row.reachedAt} by ${row.reachedBy}, not claimed`
  if (row.reachedBy) return 'taken back by a reversal'
  return (row.have ?? 0) < (row.goal ?? 0) ? 'not reached' : 'open: the member has to send a proof'
}

export function changeText({ at, who, what, subject, why, detail }: AuditRow): string {
  const details = Object.keys(detail).length > 0 ? `  ${JSON.stringify(detail)}` : ''
  const line = `${at}  ${who}  ${what} ${subject}${why === null ? '' : `: ${why}`}${details}`
  // A subject may be a file's name, which must not look like further lines.
  return line.replace(/\p{Cc}/gu, '\uFFFD')
}

const section = (heading: string, none: readonly string[], lines: readonly string[]) =>
  lines.length > 0 ? [heading, ...lines.map((line) => `  ${line}`)] : none

/** Returns the lines of `event show`: what a support desk needs to know about a member. Times are in the event's zone. */
export async function memberReport(db: Queryable, account: string): Promise<string[]> {
  const names = [...accountKeys(account), pseudonymKey(accountKey(account))]
  const member = await memberRow(db, names)
  if (!member) throw new Error(`no member is called ${account}`)
  const { id, accountKey: key, createdAt, bannedAt, address } = member
  const missions = await missionRows(db, id)
  const stages = STAGES.flatMap(({ number: stage }) => {
    const rows = missions.filter((row) => row.stage === stage)
    if (rows.every(({ reachedBy, have }) => !reachedBy && !have)) return [`stage ${stage}: nothing`]
    const lines = rows.map((row) => {
      const progress =
        row.goal === null ? '' : `${numberText(row.have ?? 0)} of ${numberText(row.goal)}  `
      return `  ${row.mission.padEnd(11)}${progress}${missionText(row)}`
    })
    return [`stage ${stage}:`, ...lines]
  })
  const refused = (await refusals(db, id)).map(
    ({ stage, mission, reason, times, lastAt }) =>
      `stage ${stage}  ${mission}: ${reason}, ${plural(times, 'time')}, last ${lastAt}`,
  )
  const failures = (await readFailures(db, key)).map(({ attempts, lockedUntil, isKnownDevice }) => {
    const lock = lockedUntil ? `, LOCKED until ${lockedUntil}` : ''
    return `${attempts} on ${isKnownDevice ? 'a device of the member' : 'unknown devices'}${lock}`
  })
  const open = (await sessions(db, id)).map(
    (one) => `since ${one.createdAt}, until ${one.expiresAt}`,
  )
  return [
    `${member.account}, member since ${createdAt}; address ${address}`,
    ...(bannedAt ? [`BANNED since ${bannedAt}`] : []),
    ...stages,
    ...section('refused claims:', ['no claim was refused'], refused),
    ...section('sessions:', ['no session'], open),
    ...section('failed logins since the last right one:', ['no failed login'], failures),
    ...section(
      'changes by operators:',
      [],
      (await readAudit(db, [key, pseudonymKey(key)])).map(changeText),
    ),
  ]
}
