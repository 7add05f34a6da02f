import type { FastifyInstance } from 'fastify'
import { busy } from './answers.ts'

/** Calls in flight at once; each holds its body in memory, and waits for those before it. */
export const MOST_IN_FLIGHT = 2000
/** In which every call is answered (decision 0020). */
const DEADLINE_MS = 10_000
const ALWAYS_ANSWERED = new Set(['/livez', '/metrics'])

export interface Traffic {
  inFlight: number
  /** It stops soon: calls are still answered, `/healthz` says 503. */
  leaving: boolean
  /** It stops: new calls are refused. */
  draining: boolean
}

/**
 * Answers 503 with retry-after while too many calls wait, while the server stops, and to a call that has waited for long.
 * What that one asked the database for goes on: a cancelled commit would be acknowledged without its standby.
 */
export function relievePressure(app: FastifyInstance, traffic: Traffic, deadlineMs = DEADLINE_MS): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isTooMuch = traffic.inFlight >= MOST_IN_FLIGHT || traffic.draining
    if (isTooMuch && !ALWAYS_ANSWERED.has(request.routeOptions.url ?? '')) {
      if (traffic.draining) reply.header('connection', 'close')
      return done(busy())
    }
    traffic.inFlight++
    const deadline = setTimeout(() => {
      // Hijacked: Fastify expects no answer of the handler any more.
      if (!reply.sent) reply.send(busy()).hijack()
    }, deadlineMs)
    // 'close' comes also for a caller that hung up; Fastify's own hook does not.
    reply.raw.once('close', () => {
      traffic.inFlight--
      clearTimeout(deadline)
    })
    done()
  })
}
