import { MISSION_CODES, type MissionCode, STREAK_DAYS } from '@anniversary/shared/contract/event'

/** A member's activity within one stage. Amounts are points, in cents. */
export interface StageActivity {
  readonly depositCents: number
  readonly betCents: number
  readonly deposits: number
}

type Rule =
  | { readonly kind: 'deposit-total' | 'bet-total'; readonly points: number }
  | { readonly kind: 'deposit-count'; readonly times: number }
  | { readonly kind: 'streak'; readonly days: number }
  | { readonly kind: 'share' }

/** The specification's mission table, and the share mission. Each is worth one ticket. */
export const MISSION_RULES: Readonly<Record<MissionCode, Rule>> = {
  NAP_300: { kind: 'deposit-total', points: 300 },
  CUOC_5000: { kind: 'bet-total', points: 5000 },
  NAP_STREAK: { kind: 'streak', days: STREAK_DAYS },
  NAP_15000: { kind: 'deposit-total', points: 15_000 },
  NAP_10LAN: { kind: 'deposit-count', times: 10 },
  CHIASE: { kind: 'share' },
}
export const TICKETS_PER_MISSION = 1

/** How much of what a mission counts reaches it; null where it counts nothing. */
export function goalOf(code: MissionCode): number | null {
  const rule = MISSION_RULES[code]
  if (rule.kind === 'share') return null
  return 'points' in rule ? rule.points : 'times' in rule ? rule.times : rule.days
}

export const isMissionCode = (code: string): code is MissionCode =>
  (MISSION_CODES as readonly string[]).includes(code) // widened: includes() of a tuple takes only its own members

/** `claimed` of a mission that is neither reached nor claimed: 3 for the streak (needs a check), 2 for the share (claimable). */
export function openState(code: MissionCode): 0 | 2 | 3 {
  const { kind } = MISSION_RULES[code]
  return kind === 'streak' ? 3 : kind === 'share' ? 2 : 0
}

/** The missions that this activity reaches, thresholds included. */
export function reachedMissions(activity: StageActivity): MissionCode[] {
  return MISSION_CODES.filter((code) => {
    const rule = MISSION_RULES[code]
    switch (rule.kind) {
      case 'deposit-total':
        return activity.depositCents >= rule.points * 100
      case 'bet-total':
        return activity.betCents >= rule.points * 100
      case 'deposit-count':
        return activity.deposits >= rule.times
      default:
        return false
    }
  })
}
