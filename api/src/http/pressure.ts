import type { FastifyInstance } from 'fastify'
import { texts } from '../texts.ts'
import { HttpProblem } from './answers.ts'
import type { Traffic } from './traffic.ts'

/** Calls in flight at once; each holds its body in memory. */
const MAX_IN_FLIGHT = 2000
/** Longer than a member waits for a slow answer. */
const MAX_WAIT_MS = 10_000
/** Seconds, at least: also where the expected wait is unknown. */
const RETRY = 2
const LONGEST_RETRY = 60

const ALWAYS_ANSWERED = new Set(['/livez', '/metrics'])

/**
 * Answers 503 with retry-after while too many calls wait, or while the server stops. Not by @fastify/under-pressure: its
 * sample of the event loop's lag is Infinity after any pause of a second, and then it refuses everybody.
 */
export function relievePressure(app: FastifyInstance, traffic: Traffic): void {
  app.addHook('onRequest', (request, reply, done) => {
    const wait = traffic.expectedWait()
    const isTooMuch = traffic.inFlight >= MAX_IN_FLIGHT || wait > MAX_WAIT_MS
    if ((isTooMuch || traffic.draining) && !ALWAYS_ANSWERED.has(request.routeOptions.url ?? '')) {
      if (traffic.draining) reply.header('connection', 'close')
      const retryAfterSeconds = Math.min(LONGEST_RETRY, Math.max(RETRY, wait / 1000))
      return done(new HttpProblem(503, texts.busy, { retryAfterSeconds }))
    }
    traffic.begin()
    // 'close' comes also for a caller that hung up; Fastify's own hook does not.
    reply.raw.once('close', traffic.end)
    done()
  })
}
