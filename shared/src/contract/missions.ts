import missions from '../../campaign/missions.json' with { type: 'json' }

/**
 * Kinds of missions. docs/use/campaign.md names what a new one needs; the
 * compiler names most of it.
 */
export type MissionKind = CountedKind | 'share'
/**
 * What a mission counts: points of deposits or bets, deposits, or days in a row
 * with a deposit.
 */
export const COUNTED_KINDS = ['deposit-total', 'bet-total', 'deposit-count', 'streak'] as const
export type CountedKind = (typeof COUNTED_KINDS)[number]

/**
 * `code` is `event_code_detail` on the wire; `goal`: how much reaches the
 * mission.
 */
export type MissionRule = {
  readonly code: string
  readonly name: string
  readonly tickets: number
} & (
  | { readonly kind: CountedKind; readonly goal: number }
  | { readonly kind: 'share'; readonly goal?: undefined }
)

export const MISSIONS = missions as readonly MissionRule[] // JSON knows no literal types; campaign.test.ts checks it

/** On the mission's card (specification, section 4), and at the support desk. */
export const missionStateTexts = {
  notReached: 'Chưa Đạt',
  claim: 'Nhận vé',
  check: 'Kiểm tra',
  claimed: 'Đã nhận',
} as const

export const MISSION_CODES: readonly string[] = MISSIONS.map(({ code }) => code)

const only = (kind: MissionKind) => MISSIONS.find((mission) => mission.kind === kind)
export const SHARE_MISSION = only('share')?.code
export const STREAK_MISSION = only('streak')?.code
export const STREAK_DAYS = only('streak')?.goal ?? 0
