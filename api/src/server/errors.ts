import type { FastifyError, FastifyInstance } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isDatabaseAway } from '../database/database.ts'
import { fieldTexts, texts } from '../texts.ts'
import { HttpProblem } from './answers.ts'

interface Translation {
  readonly status: number
  readonly message: string
  readonly retryAfterSeconds?: number | undefined
  readonly errors?: readonly { path: string; message: string }[]
}

/** A batch may hold 5,000 wrong entries: the answer names the first few. */
const MAX_ERRORS = 20

function translate(error: FastifyError | Error): Translation {
  if (error instanceof HttpProblem) {
    return { status: error.statusCode, message: error.message, retryAfterSeconds: error.retryAfterSeconds }
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors = error.validation.slice(0, MAX_ERRORS).map((issue) => ({
      path: issue.instancePath.replace(/^\//, '').replaceAll('/', '.'),
      message: issue.message ?? '',
    }))
    const field = errors[0]?.path.split('.')[0] ?? ''
    return { status: 400, message: fieldTexts[field] ?? texts.malformed, errors }
  }
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status === 413) return { status, message: texts.tooLarge }
  if (status === 415) return { status, message: texts.unsupportedMedia }
  if (status === 503 || isDatabaseAway(error))
    return { status: 503, message: texts.busy, retryAfterSeconds: 2 }
  if (status !== undefined && status >= 400 && status < 500) return { status: 400, message: texts.malformed }
  return { status: 500, message: texts.broken }
}

/** Translates every failure into the envelope that a member reads; no stack and no driver's text leaves the server. */
export function translateErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    // The caller hung up while sending: not a failure of the server.
    const hasHungUp = request.raw.destroyed && !request.raw.complete
    const { status, message, retryAfterSeconds, errors }: Translation = hasHungUp
      ? { status: 400, message: texts.malformed }
      : translate(error)
    if (status >= 500)
      app.log[status === 503 ? 'warn' : 'error']({ reqId: request.id, err: error }, 'request failed')
    if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(retryAfterSeconds))
    return reply.code(status).send({ status_code: status, message, data: null, ...(errors && { errors }) })
  })
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ status_code: 404, message: texts.noSuchCall, data: null }),
  )
}
