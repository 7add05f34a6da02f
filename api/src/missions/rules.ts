import { MISSIONS, type MissionKind, type MissionRule } from '@anniversary/shared/contract/missions'

/** A member's activity within one stage. Amounts are points, in cents. */
export interface StageActivity {
  readonly depositCents: number
  readonly betCents: number
  readonly deposits: number
}

interface Counting {
  /** `claimed` of a mission that is neither reached nor claimed: 0 not reached, 2 claimable, 3 needs a check. */
  readonly openState: 0 | 2 | 3
  /** What the kept sums count; without it the member's proof decides. */
  readonly of?: (activity: StageActivity) => number
  readonly column?: string
}

export const COUNTING: Readonly<Record<MissionKind, Counting>> = {
  'deposit-total': { openState: 0, of: (sums) => sums.depositCents / 100, column: 'deposit_total' },
  'bet-total': { openState: 0, of: (sums) => sums.betCents / 100, column: 'bet_total' },
  'deposit-count': { openState: 0, of: (sums) => sums.deposits, column: 'deposits' },
  streak: { openState: 3 },
  share: { openState: 2 },
}

/** SQL: what a row of `stage_activity` counts towards a mission of the kind in `kind`; NULL where sums do not decide. */
export const countedSum = (kind: string, row: string) =>
  `CASE ${kind} ${Object.entries(COUNTING)
    .flatMap(([name, { column }]) => (column ? [`WHEN '${name}' THEN ${row}.${column}`] : []))
    .join(' ')} END`

export const findMission = (code: string): MissionRule | undefined =>
  MISSIONS.find((mission) => mission.code === code)

/** Codes of the missions that this activity reaches, thresholds included. */
export const reachedMissions = (activity: StageActivity): string[] =>
  MISSIONS.flatMap(({ code, kind, goal }) => {
    const count = COUNTING[kind].of?.(activity)
    return count !== undefined && goal !== undefined && count >= goal ? [code] : []
  })
