import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { texts } from '../texts.ts'
import { HttpProblem } from './answers.ts'
import type { Traffic } from './context.ts'

/**
 * Milliseconds that the event loop may lag. The embedded database works on it, so a large batch or vacuum shows here;
 * a slow answer is better than a refused one for as long as a member would wait anyway.
 */
export const MAX_LAG_MS = 5000
/** Requests being answered at once; each holds its body and its place in the database's queue. */
const MAX_IN_FLIGHT = 2000
const RETRY_SECONDS = 2

const ALWAYS_ANSWERED = new Set(['/livez', '/metrics', '/api/metrics'])

/** Answers 503 with retry-after while the process cannot keep up or is stopping, instead of falling over. */
export async function relievePressure(
  app: FastifyInstance,
  traffic: Traffic,
  maxLagMs: number,
): Promise<void> {
  const refuse = () => new HttpProblem(503, texts.busy, { retryAfterSeconds: RETRY_SECONDS })
  await app.register(underPressure, {
    maxEventLoopDelay: maxLagMs,
    pressureHandler(request) {
      if (!ALWAYS_ANSWERED.has(request.routeOptions.url ?? '')) throw refuse()
    },
  })
  app.addHook('onRequest', (request, reply, done) => {
    const isTooMuch = traffic.inFlight > MAX_IN_FLIGHT || traffic.draining
    if (!isTooMuch || ALWAYS_ANSWERED.has(request.routeOptions.url ?? '')) return done()
    if (traffic.draining) reply.header('connection', 'close')
    done(refuse())
  })
}
