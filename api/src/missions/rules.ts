import {
  MISSIONS,
  type MissionKind,
  type MissionRule,
  STREAK_DAYS,
  STREAK_MISSION,
} from '@anniversary/shared/contract/missions'

interface Counting {
  /**
   * The wire's `claimed` when neither reached nor claimed: 0 not reached, 2
   * claimable, 3 needs a check.
   */
  readonly openState: 0 | 2 | 3
  /**
   * The column of `stage_activity`. Without one, the member's proof decides.
   */
  readonly column?: string
}

export const COUNTING: Readonly<Record<MissionKind, Counting>> = {
  'deposit-total': { openState: 0, column: 'deposit_total' },
  'bet-total': { openState: 0, column: 'bet_total' },
  'deposit-count': { openState: 0, column: 'deposits' },
  streak: { openState: 3 },
  share: { openState: 2 },
}

/** SQL: the sum in a row of `stage_activity`. NULL where a proof decides. */
export const countedSum = (kind: string, row: string) =>
  `CASE ${kind} ${Object.entries(COUNTING)
    .flatMap(([name, { column }]) => (column ? [`WHEN '${name}' THEN ${row}.${column}`] : []))
    .join(' ')} END`

const bookedDeposits = (memberId: string, stage: string) =>
  `coalesce((SELECT a.deposits FROM stage_activity a WHERE a.member_id = ${memberId} AND a.stage = ${stage}), 0)`

/**
 * SQL: false where a server of a version without the table has booked only into
 * the sums.
 */
export const hasKeptDays = (memberId: string, stage: string) => `(
  ${bookedDeposits(memberId, stage)} = coalesce((
    SELECT sum(k.deposits) FROM deposit_day k
    WHERE k.member_id = ${memberId} AND k.stage = ${stage} AND k.deposits > 0
  ), 0))`

interface StreakOf {
  readonly memberId: string
  readonly stage: string
  readonly first: string
  readonly last: string
}

/** SQL: within a run of days, days minus their rank are equal. */
export function longestStreak({ memberId, stage, first, last }: StreakOf): string {
  const runsOf = (days: string) => `(
    SELECT count(*) FILTER (WHERE d.day BETWEEN ${first} AND ${last}) AS days, sum(d.deposits) AS deposits
    FROM (SELECT d.*, d.day - row_number() OVER (ORDER BY d.day)::int AS run FROM (${days}) d) d
    GROUP BY d.run
  ) r`
  const kept = runsOf(
    `SELECT k.day, k.deposits FROM deposit_day k
     WHERE k.member_id = ${memberId} AND k.stage = ${stage} AND k.deposits > 0`,
  )
  const recounted = runsOf(
    `SELECT a.day, count(*) AS deposits FROM counted_activity a
     WHERE a.member_id = ${memberId} AND a.kind = 'deposit' AND a.day BETWEEN ${first} AND ${last} GROUP BY a.day`,
  )
  return `(
    SELECT CASE WHEN coalesce(sum(r.deposits), 0) = ${bookedDeposits(memberId, stage)}
      THEN coalesce(max(r.days), 0)::int
      ELSE (SELECT coalesce(max(r.days), 0)::int FROM ${recounted}) END
    FROM ${kept})`
}

/**
 * SQL: whether the ledger no longer reaches the claimed mission `mm`. Counted
 * each time: a stored mark would miss a reversal that arrives together with the
 * claim.
 */
export const NEEDS_REVIEW = `(mm.claimed_at IS NOT NULL AND CASE
  WHEN mm.reached_by <> 'proof' THEN mm.needs_review
  WHEN mm.mission = '${STREAK_MISSION}' THEN ${STREAK_DAYS} >
    ${longestStreak({
      memberId: 'mm.member_id',
      stage: 'mm.stage',
      first: "(mm.proof ->> 'start')::date",
      last: "(mm.proof ->> 'end')::date",
    })}
  ELSE false END)`

export const findMission = (code: string): MissionRule | undefined =>
  MISSIONS.find((mission) => mission.code === code)
