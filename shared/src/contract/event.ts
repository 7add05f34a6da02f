import event from '../../campaign/event.json' with { type: 'json' }

/**
 * The event as shared/campaign says it is, and the specification's constants (section 9).
 * Both sides read them here: the server decides by them, the screens show them.
 */

/** Time zone of every rule and every shown time. */
export const EVENT_TIME_ZONE = 'Asia/Ho_Chi_Minh'
/** UTC offset of `EVENT_TIME_ZONE` (no daylight saving since 1975). */
export const EVENT_UTC_OFFSET = '+07:00'

export interface Stage {
  readonly number: number
  /** First day, `YYYY-MM-DD`, from 00:00:00 +07:00. */
  readonly firstDay: string
  /** Last day, `YYYY-MM-DD`, inclusive to 23:59:59 +07:00. */
  readonly lastDay: string
}

const numbered = <T>(list: readonly T[]) => list.map((item, i) => ({ number: i + 1, ...item }))

/** In order of time. */
export const STAGES = numbered(event.stages) as unknown as readonly [Stage, ...Stage[]]

/** The draw that follows each stage; `start` and `end` are ISO times. */
export const DRAWS = numbered(event.draws).map(({ number: stage, ...times }) => ({ stage, ...times }))

/** Kinds of missions. docs/guides/new-mission.md names what a new one needs; the compiler names most of it. */
export type MissionKind = CountedKind | 'share'
/** What a mission counts: points of deposits or bets, deposits, or days in a row with a deposit. */
export const COUNTED_KINDS = ['deposit-total', 'bet-total', 'deposit-count', 'streak'] as const
export type CountedKind = (typeof COUNTED_KINDS)[number]

/** `code` is `event_code_detail` on the wire; `goal`: how much reaches the mission. */
export type MissionRule = {
  readonly code: string
  readonly name: string
  readonly tickets: number
} & (
  | { readonly kind: CountedKind; readonly goal: number }
  | { readonly kind: 'share'; readonly goal?: undefined }
)

/** In the order in which the server lists them. */
export const MISSIONS = event.missions as readonly MissionRule[] // JSON knows no literal types; campaign.test.ts checks it

export const MISSION_CODES: readonly string[] = MISSIONS.map(({ code }) => code)

const only = (kind: MissionKind) => MISSIONS.find((mission) => mission.kind === kind)
export const SHARE_MISSION = only('share')?.code
export const STREAK_MISSION = only('streak')?.code
export const STREAK_DAYS = only('streak')?.goal ?? 0

/** The best one first. */
export const PRIZES = event.prizes

export const TICKETS_PER_STAGE = event.ticketsPerStage
export const TICKETS_IN_ALL = TICKETS_PER_STAGE * STAGES.length
export const SHARE_LINKS = event.shareLinks
export const MAX_MISSION_CARDS = 6
export const BANK_DIGITS = 4
export const ACCOUNT_MIN_LENGTH = 3

/** Milliseconds. */
export const TOAST_MS = 3000
export const COPY_TOAST_MS = 1200
export const CLAIM_DELAY_MS = 1000
export const EMBED_TIMEOUT_MS = 10_000
export const UNAUTHORIZED_DELAY_MS = 500
