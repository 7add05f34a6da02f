import type { FastifyReply } from 'fastify'

/** A business answer is HTTP 200, also for a refusal: the screens read `status_code`. */
export const ok = <T>(data: T) => ({ status_code: 200, data })

/** `status_code` of the refusals, for logs and metrics; members read the message. */
export const REFUSED = {
  login: 4010,
  notReached: 4030,
  noMission: 4040,
  full: 4090,
  closed: 4100,
  proof: 4220,
} as const

export const refuse = <T>(status_code: number, message: string, data: T) => ({ status_code, message, data })

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
  constructor(
    statusCode: number,
    message: string,
    options: ErrorOptions & { retryAfterSeconds?: number } = {},
  ) {
    super(message, options)
    this.name = 'HttpProblem'
    this.statusCode = statusCode
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
