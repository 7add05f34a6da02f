import event from '../../campaign/event.json' with { type: 'json' }

/** From shared/campaign and the specification's constants (section 9). */

/** UTC offset of Viet Nam (no daylight saving since 1975). */
export const EVENT_UTC_OFFSET = '+07:00'

export interface Stage {
  readonly number: number
  /**
   * Both `YYYY-MM-DD`, in the event's time zone; the last day counts to
   * 23:59:59.
   */
  readonly firstDay: string
  readonly lastDay: string
}

export const STAGES = event.stages as unknown as readonly [Stage, ...Stage[]] // JSON knows no tuples

export const DRAWS = event.draws

export const TICKETS_PER_STAGE = event.ticketsPerStage
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
