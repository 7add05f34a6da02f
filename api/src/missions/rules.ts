import {
  MISSIONS,
  type MissionKind,
  type MissionRule,
  STREAK_DAYS,
  STREAK_MISSION,
} from '@anniversary/shared/contract/missions'
import { STAGE_ROWS } from './stages.ts'

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

/** SQL, an aggregate: adjacent days merge into one range. */
export const daysOf = (day: string) => `range_agg(daterange(${day}, ${day} + 1))`

/** SQL: what a row that is written now gets as `xmin`, outside savepoints. */
export const THIS_TRANSACTION = 'pg_current_xact_id()::xid'

/**
 * SQL: whether the row of `stage_activity` was last written by a version that
 * keeps its days.
 */
export const hasKeptDays = (row: string) => `${row}.xmin IS NOT DISTINCT FROM ${row}.kept_by`

interface StreakOf {
  readonly memberId: string
  readonly first: string
  readonly last: string
}

/**
 * SQL: the days of the longest run.
 * @param row of `stage_activity`; without one, 0
 */
export function longestStreakIn(row: string, { memberId, first, last }: StreakOf): string {
  const longestOf = (days: string) =>
    `(SELECT coalesce(max(upper(run) - lower(run)), 0) FROM unnest(${days}) run)`
  const recounted = `(
    SELECT ${daysOf('a.day')} FROM counted_activity a
    WHERE a.member_id = ${memberId} AND a.kind = 'deposit'
      AND a.day BETWEEN ${first} AND ${last})`
  const asked = `datemultirange(daterange(${first}, ${last}, '[]'))`
  return `CASE WHEN ${hasKeptDays(row)} THEN ${longestOf(`${row}.deposit_days * ${asked}`)}
    ELSE ${longestOf(recounted)} END`
}

/** SQL: the same of a member and a stage. */
export const longestStreak = ({
  stage,
  ...streak
}: StreakOf & { readonly stage: string }) => `coalesce((
  SELECT ${longestStreakIn('k', streak)} FROM stage_activity k
  WHERE k.member_id = ${streak.memberId} AND k.stage = ${stage}), 0)`

const IS_OF_MISSION = "a.detail @> jsonb_build_object('stage', mm.stage, 'mission', mm.mission)"

/**
 * SQL: whether the claimed mission `mm` has more valid tickets than its rule
 * gives, by a completion that was undone.
 */
export const HAS_SURPLUS = `(mm.reached_by <> 'completed' AND EXISTS (
  SELECT FROM mission m WHERE m.code = mm.mission AND m.tickets < mm.tickets AND m.tickets < (
    SELECT count(*) FROM valid_ticket t
      WHERE (t.member_id, t.stage, t.mission) = (mm.member_id, mm.stage, mm.mission))
  ) AND EXISTS (
    SELECT FROM audit a WHERE a.member_id = mm.member_id
      AND a.what = 'undo-completion' AND ${IS_OF_MISSION}))`

/**
 * SQL: whether the ledger no longer gives the tickets of the claimed mission
 * `mm`. Counted each time: a stored mark would miss a reversal that arrives
 * together with the claim.
 */
export const NEEDS_REVIEW = `(mm.claimed_at IS NOT NULL AND CASE
  WHEN ${HAS_SURPLUS} THEN true
  WHEN mm.reached_by <> 'proof' THEN mm.needs_review
  WHEN mm.mission = '${STREAK_MISSION}' THEN ${STREAK_DAYS} >
    ${longestStreak({
      memberId: 'mm.member_id',
      stage: 'mm.stage',
      first: "(mm.proof ->> 'start')::date",
      last: "(mm.proof ->> 'end')::date",
    })}
  ELSE false END)`

const BET_MISSIONS = MISSIONS.filter(({ kind }) => kind === 'bet-total').map(({ code }) => code)

/**
 * SQL: whether the claimed mission `mm` has valid tickets that "keep" has not
 * decided. A later reversal of what the mission counts opens the decision
 * again.
 */
export const IS_UNDECIDED = `(EXISTS (
    SELECT FROM valid_ticket t
      WHERE (t.member_id, t.stage, t.mission) = (mm.member_id, mm.stage, mm.mission)
  ) AND NOT coalesce((
    SELECT a.what = 'keep' AND NOT (${NEEDS_REVIEW} AND EXISTS (
      SELECT FROM activity r
      JOIN activity x ON (x.source, x.ref, x.member_id) = (r.source, r.reverses, r.member_id)
      JOIN ${STAGE_ROWS} ON s.stage = mm.stage AND x.day BETWEEN s.first_day AND s.last_day
      WHERE r.member_id = mm.member_id AND r.kind = 'reversal' AND r.received_at > a.at
        AND (x.kind = 'bet') = (mm.mission = ANY('{${BET_MISSIONS}}'))))
    FROM audit a WHERE a.member_id = mm.member_id AND a.what IN ('keep', 'undo-completion')
      AND ${IS_OF_MISSION}
    ORDER BY a.id DESC LIMIT 1
  ), false))`

export const findMission = (code: string): MissionRule | undefined =>
  MISSIONS.find((mission) => mission.code === code)
