import {
  MISSIONS,
  type MissionKind,
  type MissionRule,
  STREAK_DAYS,
  STREAK_MISSION,
} from '@anniversary/shared/contract/missions'

interface Counting {
  /** `claimed` of a mission that is neither reached nor claimed: 0 not reached, 2 claimable, 3 needs a check. */
  readonly openState: 0 | 2 | 3
  /** What `stage_activity` counts towards it; without it the member's proof decides. */
  readonly column?: string
}

export const COUNTING: Readonly<Record<MissionKind, Counting>> = {
  'deposit-total': { openState: 0, column: 'deposit_total' },
  'bet-total': { openState: 0, column: 'bet_total' },
  'deposit-count': { openState: 0, column: 'deposits' },
  streak: { openState: 3 },
  share: { openState: 2 },
}

/** SQL: what a row of `stage_activity` counts towards a mission of the kind in `kind`; NULL where sums do not decide. */
export const countedSum = (kind: string, row: string) =>
  `CASE ${kind} ${Object.entries(COUNTING)
    .flatMap(([name, { column }]) => (column ? [`WHEN '${name}' THEN ${row}.${column}`] : []))
    .join(' ')} END`

/** SQL: a member's most consecutive days with a deposit, from `first` to `last`. Days less their rank are equal within a run. */
export const longestStreak = (memberId: string, first: string, last: string) => `(
  SELECT coalesce(max(days), 0)::int FROM (
    SELECT count(*) AS days FROM (
      SELECT DISTINCT day, day - dense_rank() OVER (ORDER BY day)::int AS run FROM counted_activity a
      WHERE a.member_id = ${memberId} AND a.kind = 'deposit' AND a.day BETWEEN ${first} AND ${last}
    ) d GROUP BY run
  ) r)`

/**
 * SQL: whether the claimed mission `mm` is one that the ledger no longer carries. The days of a proven streak are counted
 * here: a mark would miss a reversal that arrives together with the claim.
 */
export const NEEDS_REVIEW = `(mm.claimed_at IS NOT NULL AND CASE
  WHEN mm.reached_by <> 'proof' THEN mm.needs_review
  WHEN mm.mission = '${STREAK_MISSION}' THEN ${STREAK_DAYS} >
    ${longestStreak('mm.member_id', "(mm.proof ->> 'start')::date", "(mm.proof ->> 'end')::date")}
  ELSE false END)`

export const findMission = (code: string): MissionRule | undefined =>
  MISSIONS.find((mission) => mission.code === code)
