import type { FastifyInstance } from 'fastify'
import { texts } from '../texts.ts'
import { HttpProblem } from './answers.ts'

/** Calls in flight at once; each holds its body in memory, and waits for those before it. */
export const MOST_IN_FLIGHT = 2000
const RETRY_SECONDS = 2
const ALWAYS_ANSWERED = new Set(['/livez', '/metrics'])

export interface Traffic {
  inFlight: number
  draining: boolean
}

/**
 * Answers 503 with retry-after while too many calls wait, or while the server stops. Not by @fastify/under-pressure: its
 * sample of the event loop's lag is Infinity after any pause of a second, and then it refuses everybody.
 */
export function relievePressure(app: FastifyInstance, traffic: Traffic): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isTooMuch = traffic.inFlight >= MOST_IN_FLIGHT || traffic.draining
    if (isTooMuch && !ALWAYS_ANSWERED.has(request.routeOptions.url ?? '')) {
      if (traffic.draining) reply.header('connection', 'close')
      return done(new HttpProblem(503, texts.busy, RETRY_SECONDS))
    }
    traffic.inFlight++
    // 'close' comes also for a caller that hung up; Fastify's own hook does not.
    reply.raw.once('close', () => {
      traffic.inFlight--
    })
    done()
  })
}
