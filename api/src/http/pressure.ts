import type { FastifyInstance } from 'fastify'
import { texts } from '../texts.ts'
import { HttpProblem } from './answers.ts'

/** With so many calls in flight the server answers as fast as it can, so the rate of answers is its capacity. */
const BUSY_FROM = 100
/** Fewer answers are no measure yet. */
const ENOUGH_ANSWERS = 100
/** Then half of the count is dropped, so that recent answers weigh more. */
const FORGET_AT = 4000

export type Traffic = ReturnType<typeof countTraffic>

/**
 * Counts the calls being answered now.
 * @param now clock in milliseconds
 */
export function countTraffic(now: () => number = () => performance.now()) {
  let inFlight = 0
  let busySince = 0
  let answers = 0
  return {
    get inFlight() {
      return inFlight
    },
    /** True once the server is stopping. */
    draining: false,
    begin() {
      if (++inFlight !== BUSY_FROM) return
      busySince = now()
      answers = 0
    },
    end() {
      inFlight--
      if (++answers < FORGET_AT) return
      answers /= 2
      busySince = (busySince + now()) / 2
    },
    /**
     * Milliseconds that a call which arrives now would wait for its turn; 0 while the server is not busy. Counted since
     * it became busy: neither idle time nor one blocked second looks like a slow server.
     */
    expectedWait: () =>
      inFlight < BUSY_FROM || answers < ENOUGH_ANSWERS ? 0 : (inFlight * (now() - busySince)) / answers,
  }
}

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
      return done(new HttpProblem(503, texts.busy, Math.min(LONGEST_RETRY, Math.max(RETRY, wait / 1000))))
    }
    traffic.begin()
    // 'close' comes also for a caller that hung up; Fastify's own hook does not.
    reply.raw.once('close', traffic.end)
    done()
  })
}
