import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { EVENT_TIME_HEADER } from '@anniversary/shared/contract/headers'
import type { FastifyInstance } from 'fastify'
import type { LoggerOptions } from 'pino'
import type { Context } from './context.ts'

/** The caller's `x-request-id` where it is harmless to log, else one of our own. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
}

/** Sets the headers of every answer, counts it, and logs a line without query, body or headers: those may be personal. */
export function observe(app: FastifyInstance, { now, metrics }: Pick<Context, 'now' | 'metrics'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({
      [EVENT_TIME_HEADER]: now().toISOString(),
      'x-request-id': request.id,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const { method } = request
    const status = reply.statusCode
    metrics.requests.observe({ method, route, status }, reply.elapsedTime / 1000)
    app.log.info(
      { reqId: request.id, method, route, status, ms: Math.round(reply.elapsedTime * 10) / 10 },
      'answered',
    )
    done()
  })
}

/** Of an error only code, constraint, message and stack are logged: Postgres repeats whole rows in its other fields. */
export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  serializers: {
    err: ({ name, code, constraint, message, stack }: Error & { code?: unknown; constraint?: unknown }) => ({
      type: name,
      code,
      constraint,
      message,
      stack,
    }),
  },
})
