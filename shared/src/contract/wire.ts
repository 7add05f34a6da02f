import { z } from 'zod'
import { readFourDigits } from '../readers/bank-digits.ts'
import { visibleText } from '../readers/visible-text.ts'
import { ACCOUNT_MIN_LENGTH, SHARE_LINKS } from './event.ts'
import { COUNTED_KINDS } from './missions.ts'

/**
 * The wire of the specification's section 7. The API validates with these
 * schemas; the client imports only types.
 */

/**
 * Every answer: `status_code` 200 is success, any other a business refusal with
 * a `message` for the member.
 */
export const envelope = <T extends z.ZodType>(data: T) =>
  z.object({ status_code: z.number().int(), message: z.string().optional(), data })

export interface Envelope<T> {
  status_code: number
  message?: string
  data: T
}

export const loginBody = z.object({
  site: z.string().min(1).max(64),
  username: z.string().trim().min(ACCOUNT_MIN_LENGTH).max(64),
  lastBankNumber: z
    .string()
    .max(64)
    .overwrite(readFourDigits)
    .regex(/^\d{4}$/),
})
export type LoginBody = z.infer<typeof loginBody>

/** A wrong, unknown or locked login is the empty object: no `sign`. */
export const loginData = z.object({
  required_address: z.union([z.boolean(), z.number(), z.string()]).nullish(),
  sign: z.string().optional(),
  username: z.string().optional(),
})
export type LoginData = z.infer<typeof loginData>

const visible = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => visibleText(text) !== '')

export const addressBody = z.object({
  address: visible(500),
  fullname: visible(200),
  phone_number: visible(50),
  note: z.string().max(1000).default(''),
})
export type AddressBody = z.input<typeof addressBody>

// The server's database writes the lists of missions, histories and exchanges
// as JSON text: these schemas declare them and a test of the server holds them
// to it, no serializer does.
export const missionData = z.object({
  event_code_detail: z.string(),
  name: z.string(),
  code: z.string().nullish(),
  claimed: z.number().int(),
  /** Tickets that a claim gives (our addition). */
  tickets: z.number().int().optional(),
  /**
   * How far the member is, while the mission is neither reached nor claimed
   * (our addition).
   */
  progress: z
    .object({
      kind: z.enum(COUNTED_KINDS),
      value: z.number(),
      goal: z.number(),
    })
    .nullish(),
})
export type MissionData = z.infer<typeof missionData>

/**
 * The mission list. Some minutes before it changes by itself, it carries what
 * comes next (our addition).
 */
export const missionsAnswer = envelope(z.array(missionData)).extend({
  next: z.object({ at: z.iso.datetime(), missions: z.array(missionData) }).optional(),
})
export interface MissionsAnswer extends Envelope<MissionData[]> {
  next?: { at: string; missions: MissionData[] }
}

const day = z.iso.date()
export const takeCodeBody = z.object({
  event_code_detail: z.string().min(1).max(64),
  /**
   * Texts that hold a link each. Longer ones than a link may be are refused as
   * such.
   */
  share_links: z.array(z.string().min(1).max(8192)).length(SHARE_LINKS).optional(),
  startTimeStreak: day.optional(),
  endTimeStreak: day.optional(),
})
export type TakeCodeBody = z.infer<typeof takeCodeBody>

/**
 * A plain or share claim answers a list, a streak check `{code}`; both lists
 * may be comma-separated texts.
 */
export const codes = z.union([z.array(z.string()), z.string()])
export const takeCodeData = z.union([codes, z.object({ code: codes })]).nullish()
export type TakeCodeData = z.infer<typeof takeCodeData>

export const tradeData = z.array(z.object({ giftcode: z.string(), traded_at: z.string() }))
export type TradeData = z.infer<typeof tradeData>

export const historyData = z.object({
  code_details: z.array(
    z.object({
      event_code_detail: z.string(),
      code: z.array(z.string()),
      /** Codes that were made void (our addition). */
      voided: z.array(z.string()).optional(),
      claimed_at: z.string(),
      /** Mission name (our addition; without it the identifier is shown). */
      name: z.string().optional(),
      /** What its codes have won (our addition). */
      prizes: z
        .array(
          z.object({
            code: z.string(),
            draw: z.number().int(),
            prize: z.string(),
            /** True for a gift code, which `trade-giftcode` hands over. */
            giftcode: z.boolean().optional(),
            /** By customer support or the exchange. */
            delivery: z
              .object({ delivered_at: z.string().nullable(), until: z.string() })
              .nullish(),
          }),
        )
        .optional(),
      /**
       * The number of each code in the frozen lists of the draws (our
       * addition).
       */
      lists: z
        .array(z.object({ code: z.string(), draw: z.number().int(), position: z.number().int() }))
        .optional(),
    }),
  ),
  /**
   * The last draw that has ended, has results, and had a ticket of the member
   * (our addition).
   */
  last_draw: z.number().int().nullish(),
  giftcode_trade: tradeData,
})
export type HistoryData = z.infer<typeof historyData>

/**
 * Our addition, open to everybody: winning tickets by draw and prize, but for
 * prizes that are gift codes.
 */
export const drawsData = z.array(
  z.object({
    draw: z.number().int(),
    prize: z.string(),
    codes: z.array(z.string()),
    /** Masked (`ng***01`), in the order of `codes`. */
    owners: z.array(z.string()).optional(),
    /**
     * Changes with the draw's results, also with those that are gift codes:
     * tells pages of a later import or correction. The number means nothing.
     */
    total: z.number().int().optional(),
  }),
)
export type DrawsData = z.infer<typeof drawsData>

/**
 * A draw's list since its freeze: how many codes it has, and the SHA-256 of its
 * file.
 */
export const frozenList = z.object({
  draw: z.number().int(),
  count: z.number().int(),
  sha256: z.string(),
  frozen_at: z.string(),
})
export const drawsAnswer = envelope(drawsData).extend({ frozen: z.array(frozenList).optional() })
export interface DrawsAnswer extends Envelope<DrawsData> {
  frozen?: z.infer<typeof frozenList>[]
}

export const checkBody = z.object({
  site: z.string().min(1).max(64),
  by: z.enum(['username', 'code']),
  /** An account, or a text with one or several codes. */
  value: z.string().trim().min(1).max(1024),
})
export type CheckBody = z.infer<typeof checkBody>

export const checkData = z.discriminatedUnion('by', [
  z.object({
    by: z.literal('username'),
    stages: z.array(z.object({ stage: z.number().int(), tickets: z.number().int() })),
  }),
  z.object({
    by: z.literal('code'),
    valid: z.boolean(),
    stage: z.number().int().optional(),
    mission: z.string().optional(),
    claimed_at: z.string().optional(),
    /**
     * Its number in the frozen lists of the draws. No owner: lists make codes
     * public.
     */
    lists: z.array(z.object({ draw: z.number().int(), position: z.number().int() })).optional(),
  }),
])
export type CheckData = z.infer<typeof checkData>
