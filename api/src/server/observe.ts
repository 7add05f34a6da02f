import { randomUUID } from 'node:crypto'
import { fstatSync, writeSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { EVENT_TIME_HEADER, SPREAD_HEADER } from '@anniversary/shared/contract/headers'
import type { FastifyInstance } from 'fastify'
import type { DestinationStream, LoggerOptions } from 'pino'
import type { Context } from './context.ts'

/** The caller's own id where it is harmless to log. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  if (typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)) return given
  return randomUUID()
}

/** Of a W3C `traceparent` header. */
export function traceId({ headers }: IncomingMessage): string | undefined {
  const { traceparent } = headers
  if (typeof traceparent !== 'string') return undefined
  return /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(traceparent)?.[1]
}

const tenths = (ms: number) => Math.round(ms * 10) / 10

/** Their time must not reveal whether an account exists. */
const UNTIMED = new Set(['/api/client/login', '/api/client/check'])

/**
 * Sets `Server-Timing` in milliseconds. `db` is the time in the handler, which
 * mostly waits for the database.
 * @param waited milliseconds in the queue
 */
function timeCalls(app: FastifyInstance, waited: (request: IncomingMessage) => number): void {
  const handledAt = new WeakMap<IncomingMessage, number>()
  app.addHook('preHandler', ({ raw }, _reply, done) => {
    handledAt.set(raw, performance.now())
    done()
  })
  app.addHook('onSend', ({ raw, routeOptions }, reply, _payload, done) => {
    const from = handledAt.get(raw)
    if (from !== undefined && !UNTIMED.has(routeOptions.url ?? '')) {
      const queue = waited(raw)
      const db = tenths(performance.now() - from)
      const total = tenths(queue + reply.elapsedTime)
      reply.header('server-timing', `queue;dur=${tenths(queue)}, db;dur=${db}, total;dur=${total}`)
    }
    done()
  })
}

export const answerHeaders = (requestId: string, now: Date) => ({
  [EVENT_TIME_HEADER]: now.toISOString(),
  'x-request-id': requestId,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
})

/** Logs no query, body or headers: those may be personal. */
export function observeCalls(
  app: FastifyInstance,
  { now, spread, metrics }: Pick<Context, 'now' | 'spread' | 'metrics'>,
  waited: (request: IncomingMessage) => number = () => 0,
): void {
  timeCalls(app, waited)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...answerHeaders(request.id, now()), [SPREAD_HEADER]: spread() })
    done()
  })
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = async function (request, reply) {
      try {
        return await handler.call(this, request, reply)
      } catch (error) {
        if (!reply.sent) throw error
        // The caller had an answer in time, but Fastify would log an error.
        app.log.warn({ reqId: request.id, err: error }, 'a call failed after its answer')
        return reply
      }
    }
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const { method } = request
    const status = reply.statusCode
    const ms = waited(request.raw) + reply.elapsedTime
    metrics.requests.observe({ method, route, status }, ms / 1000)
    app.log.info(
      {
        reqId: request.id,
        traceId: traceId(request.raw),
        method,
        route,
        status,
        ms: tenths(ms),
      },
      'answered',
    )
    done()
  })
}

/** Characters that wait for a slow reader; further lines are lost. */
const MOST_UNREAD = 1_000_000

/**
 * Writes to standard output. A line that it does not take, as on a full disk,
 * is lost: pino's own destination would end the process, or wait for a reader
 * that has stopped.
 */
export function openLog(): DestinationStream {
  const { stdout } = process
  const kind = fstatSync(1)
  if (kind.isFIFO() || kind.isSocket()) {
    // Without a listener the end of the reader would end the process.
    if (stdout.listenerCount('error') === 0) stdout.on('error', () => undefined)
    return {
      write(line) {
        if (stdout.writableLength < MOST_UNREAD) stdout.write(line)
      },
    }
  }
  return {
    write(line) {
      try {
        writeSync(1, line)
      } catch {
        // There is no other place to say so.
      }
    },
  }
}

/** Postgres repeats whole rows in an error's other fields. */
export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  serializers: {
    err: ({
      name,
      code,
      constraint,
      message,
      stack,
    }: Error & { code?: unknown; constraint?: unknown }) => ({
      type: name,
      code,
      constraint,
      message,
      stack,
    }),
  },
})
