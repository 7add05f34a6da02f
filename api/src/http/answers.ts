import type { FastifyReply } from 'fastify'
import type { ClaimRefusal } from '../repositories/claims.ts'
import { texts } from '../texts.ts'

/** A business answer is HTTP 200, also for a refusal: the screens read `status_code`. */
export const ok = <T>(data: T) => ({ status_code: 200, data })

/** `status_code` and the member's message of each refusal. */
const REFUSALS: Readonly<Record<'login' | ClaimRefusal, readonly [number, string]>> = {
  login: [4010, texts.wrongLogin],
  'not-reached': [4030, texts.notReached],
  'no-mission': [4040, texts.noMission],
  'stage-full': [4090, texts.stageFull],
  'stage-closed': [4100, texts.stageClosed],
  'dates-missing': [4220, texts.streakDatesMissing],
  'dates-reversed': [4220, texts.streakDatesReversed],
  'no-streak': [4220, texts.streakNotMet],
  'links-missing': [4220, texts.shareLinksMissing],
  'bad-links': [4220, texts.shareLinksWrong],
}

export function refuse<T>(reason: keyof typeof REFUSALS, data: T) {
  const [status_code, message] = REFUSALS[reason]
  return { status_code, message, data }
}

/**
 * Sends data that the database wrote as JSON already: parsing it and writing it again would cost a sixth of the rate of
 * the busiest calls. No serializer checks it against the declared schema; `test/openapi.test.ts` does.
 */
export function sendJson(reply: FastifyReply, data: string): FastifyReply {
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(`{"status_code":200,"data":${data}}`)
}

/** A failure with an HTTP status of its own and a message that a member may read. */
export class HttpProblem extends Error {
  readonly statusCode: number
  readonly retryAfterSeconds: number | undefined
  constructor(statusCode: number, message: string, retryAfterSeconds?: number) {
    super(message)
    this.name = 'HttpProblem'
    this.statusCode = statusCode
    this.retryAfterSeconds = retryAfterSeconds
  }
}
