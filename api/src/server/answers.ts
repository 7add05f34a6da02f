import { problem } from '@anniversary/shared/contract/wire'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'

/** A business answer is HTTP 200, also for a refusal: the screens read `status_code`. */
export const ok = <T>(data: T) => ({ status_code: 200, data })

export const refuse = <T>([status_code, message]: readonly [number, string], data: T) => ({
  status_code,
  message,
  data,
})

/**
 * Sends data that the database wrote as JSON, past the serializer: to parse and write it again is too slow for the busiest
 * calls. `test/openapi.test.ts` checks it against the declared schema.
 */
export function sendJson(reply: FastifyReply, data: string): FastifyReply {
  // Its deadline has answered it.
  if (reply.sent) return reply
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

const PROBLEMS = {
  400: problem.describe('Malformed input'),
  401: problem.describe('The token or key is missing, wrong or dead'),
  403: problem.describe('The member is banned'),
  404: problem.describe('No such call'),
  413: problem.describe('The body is too large'),
  415: problem.describe('The body is not JSON'),
  429: problem.describe('Too many calls; retry-after says how many seconds to wait'),
  500: problem.describe('A fault of the server'),
  503: problem.describe(
    'Overrun, stopping, or the database is away; retry-after says how many seconds to wait',
  ),
} as const

/** The declared answers of a route: its success, the given problems, and those that any route may have. */
export const responses = <S extends z.ZodType>(success: S, ...statuses: (keyof typeof PROBLEMS)[]) => ({
  200: success,
  ...Object.fromEntries(([...statuses, 500, 503] as const).map((status) => [status, PROBLEMS[status]])),
})

export const BODY_PROBLEMS = [400, 413, 415] as const
