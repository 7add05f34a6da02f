import type { FastifyInstance } from 'fastify'
import { texts } from '../texts.ts'
import { HttpProblem } from './answers.ts'
import type { Traffic } from './traffic.ts'

/** Calls being answered at once; each holds its body and its place among the database's statements. */
const MAX_IN_FLIGHT = 2000
/** A slow answer is better than a refused one for as long as a member would wait anyway. */
const MAX_WAIT_MS = 10_000
/** Seconds, where the rate of answers does not say how long to wait. */
const RETRY = 2
const LONGEST_RETRY = 60

const ALWAYS_ANSWERED = new Set(['/livez', '/metrics', '/api/metrics'])

/**
 * Answers 503 with retry-after while more calls wait than the server can answer soon, or while it stops. By hand: the
 * lag that @fastify/under-pressure samples is infinite after any pause of a second, and then everybody was refused.
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
