import { ACCOUNT_MIN_LENGTH, TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { accountName } from '@anniversary/shared/readers/visible-text'
import { z } from 'zod'
import { eventTime } from '../server/event-time.ts'

/**
 * The specification defines `POST /users/mission/completed` without a payload;
 * `POST /users/activity` is our addition.
 */

export const BATCH_LIMIT = 5000

/** A back office may write `ủ` as one letter or as two that look the same. */
export const readText = (typed: string): string => typed.trim().normalize('NFC')

/**
 * Control characters can break storage and logs, and invisible ones make two
 * accounts look the same.
 */
export const textField = (max: number, min = 1, read = readText) =>
  z
    .string()
    .overwrite(read)
    .min(min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    .max(max, `must have at most ${max} characters`)
    .regex(/^[^\p{Cc}\p{Cf}]*$/u, 'must not hold control or invisible characters')

export const accountField = textField(64, ACCOUNT_MIN_LENGTH, accountName)

/** Of this century: the database may not be able to store others. */
const moment = eventTime.pipe(z.string().regex(/^20\d\d-/, 'must be of this century'))

const points = z
  .number('must be a number of points, with at most two decimals')
  .positive('must be more than 0')
  .max(1_000_000_000, 'must be at most 1000000000')
  .refine((n) => Number(n.toFixed(2)) === n, 'must have at most two decimals')

const eventBase = {
  source: textField(64),
  ref: textField(128),
  username: accountField,
  occurred_at: moment,
}

export const activityEvent = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ ...eventBase, kind: z.enum(['deposit', 'bet']), amount: points }),
    z.strictObject({
      ...eventBase,
      kind: z.literal('reversal'),
      /**
       * ref of a deposit or bet of the same source and member; may come first
       * when it has no amount.
       */
      reverses: textField(128),
      /** Must be that of the reversed event, which is taken back as a whole. */
      amount: points.optional(),
    }),
  ],
  'must be deposit, bet or reversal',
)
export type ActivityEvent = z.infer<typeof activityEvent>

export const activityBody = z.strictObject({
  events: z.array(activityEvent).min(1).max(BATCH_LIMIT),
})

const missionCompletion = z.strictObject({
  username: accountField,
  event_code_detail: textField(64),
  /** Decides the stage. */
  completed_at: moment,
  /** Default: the number of the mission's rule. */
  tickets: z.number().int().min(1).max(TICKETS_PER_STAGE).optional(),
})
export type MissionCompletion = z.infer<typeof missionCompletion>

export const missionCompletedBody = z.strictObject({
  completions: z.array(missionCompletion).min(1).max(BATCH_LIMIT),
})

export type Refusal =
  | 'unknown-member'
  | 'conflict'
  | 'already-reversed'
  /** `reverses` names an event of another member, or a reversal. */
  | 'wrong-target'
  /**
   * A reversal states an amount, but its target has another one or is unknown.
   */
  | 'wrong-amount'
  | 'unknown-target'
  | 'unknown-mission'
  | 'outside-stages'
  /** `event allow-completion` admits it again. */
  | 'taken-back'
