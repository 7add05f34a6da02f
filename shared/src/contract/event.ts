/**
 * Constants of the event, from the specification's sections 1, 3 and 9.
 * Both sides read them here: the server decides by them, the screens show them.
 */

/** Time zone of every rule and every shown time. */
export const EVENT_TIME_ZONE = 'Asia/Ho_Chi_Minh'
/** UTC offset of `EVENT_TIME_ZONE` (no daylight saving since 1975). */
export const EVENT_UTC_OFFSET = '+07:00'

export type StageNumber = 1 | 2 | 3

export interface Stage {
  readonly number: StageNumber
  /** First day, `YYYY-MM-DD`, from 00:00:00 +07:00. */
  readonly firstDay: string
  /** Last day, `YYYY-MM-DD`, inclusive to 23:59:59 +07:00. */
  readonly lastDay: string
}

export const STAGES: readonly [Stage, Stage, Stage] = [
  { number: 1, firstDay: '2025-08-01', lastDay: '2025-09-06' },
  { number: 2, firstDay: '2025-09-10', lastDay: '2025-09-18' },
  { number: 3, firstDay: '2025-09-20', lastDay: '2025-09-28' },
]

/** The draws, each 20:00-22:00 +07:00. */
export const DRAWS: readonly { readonly stage: StageNumber; readonly start: string; readonly end: string }[] =
  [
    { stage: 1, start: '2025-09-09T20:00:00+07:00', end: '2025-09-09T22:00:00+07:00' },
    { stage: 2, start: '2025-09-19T20:00:00+07:00', end: '2025-09-19T22:00:00+07:00' },
    { stage: 3, start: '2025-09-29T20:00:00+07:00', end: '2025-09-29T22:00:00+07:00' },
  ]

/**
 * Mission identifiers (`event_code_detail` on the wire), in the order in which the server lists them.
 * CHIASE and NAP_STREAK are the specification's; it names no others, so the rest are ours.
 */
export const MISSION_CODES = [
  'NAP_300',
  'CUOC_5000',
  'NAP_STREAK',
  'NAP_15000',
  'NAP_10LAN',
  'CHIASE',
] as const
export type MissionCode = (typeof MISSION_CODES)[number]
export const SHARE_MISSION = 'CHIASE' satisfies MissionCode
export const STREAK_MISSION = 'NAP_STREAK' satisfies MissionCode

export const TICKETS_PER_STAGE = 6
export const TICKETS_IN_ALL = 18
export const MAX_MISSION_CARDS = 6
export const SHARE_LINKS = 4
export const BANK_DIGITS = 4
export const ACCOUNT_MIN_LENGTH = 3
export const STREAK_DAYS = 5

/** Milliseconds. */
export const TOAST_MS = 3000
export const COPY_TOAST_MS = 1200
export const CLAIM_DELAY_MS = 1000
export const EMBED_TIMEOUT_MS = 10_000
export const UNAUTHORIZED_DELAY_MS = 500
