import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isDatabaseAway } from '../database/database.ts'
import { fieldTexts, memberTexts } from '../texts.ts'
import { busyProblem, HttpProblem } from './answers.ts'
import type { Admission } from './pressure.ts'

/** A batch may have 5,000 invalid entries; the answer lists this many. */
const MAX_ERRORS = 20

function translate(error: FastifyError | Error, { raw }: FastifyRequest): HttpProblem {
  // A caller that hung up is no failure of the server.
  const hasHungUp = raw.errored && !raw.complete
  if (hasHungUp) return new HttpProblem(400, memberTexts.malformed)
  if (error instanceof HttpProblem) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issues = error.validation.slice(0, MAX_ERRORS)
    const errors = issues.map(({ instancePath, message = '' }) => ({
      path: instancePath.replace(/^\//, '').replaceAll('/', '.'),
      message,
    }))
    const field = errors[0]?.path.split('.')[0] ?? ''
    return new HttpProblem(400, fieldTexts[field] ?? memberTexts.malformed, { errors })
  }
  if (isDatabaseAway(error)) return busyProblem()
  const { statusCode = 500 } = 'statusCode' in error ? error : {}
  switch (statusCode) {
    case 413:
      return new HttpProblem(413, memberTexts.tooLarge)
    case 415:
      return new HttpProblem(415, memberTexts.unsupportedMedia)
    case 503:
      return busyProblem()
  }
  const isCallersFault = statusCode >= 400 && statusCode < 500
  if (isCallersFault) return new HttpProblem(400, memberTexts.malformed)
  return new HttpProblem(500, memberTexts.broken)
}

/** Answers hold no stacks and no texts of the driver. */
export function translateErrors(app: FastifyInstance, { turn, hold }: Admission): void {
  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const { statusCode: status, message, details } = translate(error, request)
    const { retryAfterSeconds, errors } = details
    const failure = { reqId: request.id, err: error }
    if (status === 503) app.log.warn(failure, 'request failed')
    else if (status >= 500) app.log.error(failure, 'request failed')
    else await hold(request.raw)
    const retryAfter = status === 503 ? turn(request.raw) : retryAfterSeconds
    if (retryAfter !== undefined) reply.header('retry-after', Math.ceil(retryAfter))
    return reply.code(status).send({ status_code: status, message, data: null, errors })
  })
  app.setNotFoundHandler(async () => {
    throw new HttpProblem(404, memberTexts.noSuchCall)
  })
}
