import {
  MISSIONS,
  type MissionKind,
  type MissionRule,
  STREAK_DAYS,
  STREAK_MISSION,
} from '@anniversary/shared/contract/missions'

interface Counting {
  /** `claimed` on the wire of a mission that is neither reached nor claimed: 0 not reached, 2 claimable, 3 needs a check. */
  readonly openState: 0 | 2 | 3
  /** The column of `stage_activity` that counts towards it. Without one, the member's proof decides. */
  readonly column?: string
}

export const COUNTING: Readonly<Record<MissionKind, Counting>> = {
  'deposit-total': { openState: 0, column: 'deposit_total' },
  'bet-total': { openState: 0, column: 'bet_total' },
  'deposit-count': { openState: 0, column: 'deposits' },
  streak: { openState: 3 },
  share: { openState: 2 },
}

/** SQL: the sum in a row of `stage_activity` that counts towards a kind of mission. NULL where a proof decides. */
export const countedSum = (kind: string, row: string) =>
  `CASE ${kind} ${Object.entries(COUNTING)
    .flatMap(([name, { column }]) => (column ? [`WHEN '${name}' THEN ${row}.${column}`] : []))
    .join(' ')} END`

/** SQL: a member's longest run of days with a deposit between two days. Within a run, days minus their rank are equal. */
export const longestStreak = (memberId: string, first: string, last: string) => `(
  SELECT coalesce(max(days), 0)::int FROM (
    SELECT count(*) AS days FROM (
      SELECT DISTINCT day, day - dense_rank() OVER (ORDER BY day)::int AS run FROM counted_activity a
      WHERE a.member_id = ${memberId} AND a.kind = 'deposit' AND a.day BETWEEN ${first} AND ${last}
    ) d GROUP BY run
  ) r)`

/**
 * SQL: whether the ledger no longer reaches the claimed mission `mm`. The days of a proven streak are counted each time: a
 * stored mark would miss a reversal that arrives together with the claim.
 */
export const NEEDS_REVIEW = `(mm.claimed_at IS NOT NULL AND CASE
  WHEN mm.reached_by <> 'proof' THEN mm.needs_review
  WHEN mm.mission = '${STREAK_MISSION}' THEN ${STREAK_DAYS} >
    ${longestStreak('mm.member_id', "(mm.proof ->> 'start')::date", "(mm.proof ->> 'end')::date")}
  ELSE false END)`

export const findMission = (code: string): MissionRule | undefined =>
  MISSIONS.find((mission) => mission.code === code)
