import type { FastifyReply } from 'fastify'
import { memberTexts } from '../texts.ts'

/**
 * Business answers, also refusals, are HTTP 200, since the screens read
 * `status_code`.
 */
export const successAnswer = <T>(data: T) => ({ status_code: 200, data })

export const refusalAnswer = <T>([status_code, message]: readonly [number, string], data: T) => ({
  status_code,
  message,
  data,
})

/**
 * Sends JSON text from the database unparsed, for the most frequent calls.
 * `more` is JSON text of fields beside `data`. `test/calls.test.ts` checks it
 * against the declared schema.
 */
export function sendJsonAnswer(
  reply: FastifyReply,
  data: string,
  more: Readonly<Record<string, string | undefined>> = {},
): FastifyReply {
  // Its deadline has answered it.
  if (reply.sent) return reply
  const fields = Object.entries(more).map(([name, json]) => (json ? `,"${name}":${json}` : ''))
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(`{"status_code":200,"data":${data}${fields.join('')}}`)
}

/** `repeated`: known already with the same content. */
export type Outcome<Reason extends string> = 'accepted' | 'repeated' | Reason

export interface BatchData {
  readonly accepted: number
  readonly repeated: number
  /** Positions in the batch, from 0. */
  readonly refused: readonly {
    readonly index: number
    readonly reason: string
    readonly note?: string
  }[]
}

export function tallyOutcomes(outcomes: readonly Outcome<string>[]): BatchData {
  const lines = outcomes.map((reason, index) => ({ index, reason }))
  const count = (outcome: string) => lines.filter(({ reason }) => reason === outcome).length
  return {
    accepted: count('accepted'),
    repeated: count('repeated'),
    refused: lines.filter(({ reason }) => reason !== 'accepted' && reason !== 'repeated'),
  }
}

interface Details {
  readonly retryAfterSeconds?: number
  readonly errors?: readonly { path: string; message: string }[]
}

/** A member may read the message. */
export class HttpProblem extends Error {
  readonly statusCode: number
  readonly details: Details
  constructor(statusCode: number, message: string, details: Details = {}) {
    super(message)
    this.name = 'HttpProblem'
    this.statusCode = statusCode
    this.details = details
  }
}

/** Its `retry-after` is that of the backlog (errors.ts). */
export const busyProblem = () => new HttpProblem(503, memberTexts.busy)
