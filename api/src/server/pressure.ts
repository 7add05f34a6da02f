import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createConnections, IDLE_OF_PROXY } from './connections.ts'
import type { Context } from './context.ts'
import { EarlyCalls } from './early-calls.ts'
import { Lane, LIMITS, type Limits } from './lane.ts'
import { createRefusals } from './refusal.ts'

/*
 * States of a call:
 * - waiting: its lane has no place. Refused after `longestWaitSeconds`.
 * - started: Fastify has it. It leaves its place when its response closes, at
 *   its deadline, or while its body comes slowly.
 * - refused: answered 503 with `retry-after`: the lane is full, it took too
 *   long, or the server stops. The statements of a started call go on.
 * - early: refused on a connection whose turn has not come. Each sample answers
 *   a few of them, so that they take little time from other calls.
 * - dropped: its connection is closed, since it has more than `unanswered`
 *   calls. Proxies and browsers send one at a time.
 */

const SAMPLE_MS = 250
// Comparing the prefix is faster than the expression.
const isAlwaysAnswered = ({ url = '' }: IncomingMessage) =>
  !url.startsWith('/api/') && /^\/(livez|healthz|metrics)\b/.test(url)

export interface Traffic {
  inFlight: number
  /** It stops soon: calls are still answered, `/healthz` says 503. */
  leaving: boolean
  /** It stops: new calls are refused. */
  draining: boolean
}

interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly since: number
  readonly lane: Lane<Call>
  /** By the event's clock, of a call that waits for its turn. */
  arrivedAt?: Date
  startedAt?: number
  hasLeft?: boolean
  reply?: FastifyReply
}

export type Admission = ReturnType<typeof createAdmission>

const seconds = () => performance.now() / 1000

/**
 * Answers 503 with `retry-after` before anything is parsed, routed or logged.
 * Reads, writes, reports and the back office do not wait for each other.
 */
export function createAdmission(
  { now, metrics, config }: Pick<Context, 'now' | 'metrics' | 'config'>,
  traffic: Traffic,
  limits: Limits = LIMITS,
) {
  const hasProxy = config.trustProxy > 0
  const started = new Map<IncomingMessage, Call>()
  const refusals = createRefusals(now)
  const { connectionOf, hasMost, countUnanswered } = createConnections(limits.unanswered)
  const early = new EarlyCalls<Call>(limits)
  let uncounted = 0
  let listener: RequestListener = () => undefined

  const lanes = {
    reads: new Lane(start, limits),
    writes: new Lane(start, limits),
    // They may wait for the site.
    reports: new Lane(start, limits),
    backOffice: new Lane(start, limits),
  }

  function laneOf({ method, url = '' }: IncomingMessage): Lane<Call> {
    if (url.startsWith('/api/users/')) return lanes.backOffice
    if (url.startsWith('/api/reports')) return lanes.reports
    if (method === 'GET') return lanes.reads
    return lanes.writes
  }

  function start(call: Call): boolean {
    const { request, response } = call
    if (response.destroyed) return false

    call.startedAt = performance.now()
    started.set(request, call)
    // 'close' comes also for a caller that hung up.
    response.once('close', () => {
      started.delete(request)
      leave(call)
    })
    listener(request, response)
    return true
  }

  function leave(call: Call): void {
    if (call.hasLeft) return
    call.hasLeft = true
    const { response, lane } = call
    lane.leave(response.writableFinished && response.statusCode < 500)
  }

  /**
   * Returns the seconds until the connection's turn. Behind a proxy it has none,
   * since a proxy sends many callers' calls over one connection.
   */
  function keptTurn({ request }: Call): number {
    if (hasProxy) return 0
    return connectionOf(request).turnAt - seconds()
  }

  function turnOf(call: Call): number {
    // Another process answers soon for one that stops.
    if (traffic.draining) return limits.soonest

    // A caller who repeats calls keeps its turn, and moves nobody else's.
    const kept = keptTurn(call)
    if (kept > 0) return Math.ceil(kept)
    const turn = call.lane.turn(seconds())
    if (!hasProxy) connectionOf(call.request).turnAt = seconds() + turn
    return turn
  }

  function refuse(call: Call): void {
    const { request, response, startedAt } = call
    if (response.destroyed || response.headersSent) return

    // Fastify's hooks count a call that has started.
    if (startedAt === undefined) uncounted++
    const isFinished = refusals.send({
      request,
      response,
      retryAfter: turnOf(call),
      isLast: traffic.leaving || traffic.draining || !response.shouldKeepAlive,
      isStarted: startedAt !== undefined,
    })
    if (!isFinished) countUnanswered(request, response)
  }

  function refuseNew(call: Call): void {
    const isEarly = !traffic.draining && keptTurn(call) > 0
    if (isEarly && early.enter(call)) countUnanswered(call.request, call.response)
    else refuse(call)
  }

  function refuseOverdue(): void {
    const overdue = performance.now() - limits.deadlineSeconds * 1000
    for (const call of started.values()) {
      const { request, startedAt = 0, since, reply } = call
      // A body that comes slowly takes no place from others.
      if (!request.complete && performance.now() - startedAt > SAMPLE_MS) leave(call)
      if (since > overdue) continue

      // A cancelled commit would be acknowledged without its standby.
      reply?.hijack()
      // A call whose answer is read slowly leaves its place, too.
      leave(call)
      refuse(call)
    }
  }

  function sample(): void {
    refusals.forgetPrepared()
    for (const lane of Object.values(lanes)) for (const call of lane.sample(seconds())) refuse(call)
    for (const call of early.sample(traffic.draining)) refuse(call)
    refuseOverdue()
  }

  function countRefused(app: FastifyInstance): void {
    if (uncounted === 0) return
    metrics.refused.inc(uncounted)
    app.log.warn({ refused: uncounted, inFlight: traffic.inFlight }, 'calls refused')
    uncounted = 0
  }

  return {
    /** Of `Fastify()`. */
    serverFactory(
      handler: RequestListener,
      { http = {}, requestTimeout = 0, keepAliveTimeout = 0 },
    ) {
      listener = handler
      const idle = hasProxy ? IDLE_OF_PROXY : { keepAliveTimeout }
      // Older versions than Node 24.12 ignore the last.
      const options = { ...http, requestTimeout, ...idle, optimizeEmptyRequests: true }
      const server = createServer(options, (request, response) => {
        if (hasMost(request)) return void request.socket.destroy()
        if (isAlwaysAnswered(request)) {
          countUnanswered(request, response)
          return handler(request, response)
        }
        const call: Call = { request, response, since: performance.now(), lane: laneOf(request) }
        if (traffic.draining || !call.lane.enter(call, call.since / 1000)) return refuseNew(call)
        if (call.startedAt === undefined) call.arrivedAt = now()
        countUnanswered(request, response)
        traffic.inFlight++
        response.once('close', () => {
          traffic.inFlight--
          if (traffic.draining) request.socket.destroySoon()
        })
      })
      server.maxConnections = limits.connections
      return server
    },
    /** Milliseconds that a call has waited for its turn. */
    waited(request: IncomingMessage): number {
      const { since = 0, startedAt = since } = started.get(request) ?? {}
      return startedAt - since
    },
    /** A call that has waited for its turn is not late. */
    arrivedAt: (request: IncomingMessage): Date => started.get(request)?.arrivedAt ?? now(),
    /** Of a call that fails. Those without a lane move nobody's turn. */
    turn(request: IncomingMessage): number {
      const call = started.get(request)
      return call ? turnOf(call) : limits.soonest
    },
    /**
     * Waits without a place, before an answer of status 4xx, which pages rarely
     * get: a script that repeats such calls at once would take time from others.
     * The time differs, so that many are not answered at the same moment.
     */
    async hold(request: IncomingMessage): Promise<void> {
      const call = started.get(request)
      if (call) leave(call)
      const held = limits.holdSeconds * 1000 * (0.5 + Math.random())
      await sleep(held, undefined, { ref: false })
    },
    connect(app: FastifyInstance) {
      app.addHook('onRequest', (request, reply, done) => {
        const call = started.get(request.raw)
        if (call) call.reply = reply
        done()
      })
      const sampling = setInterval(sample, SAMPLE_MS)
      const logging = setInterval(() => countRefused(app), 1000)
      app.addHook('onClose', async () => {
        clearInterval(sampling)
        clearInterval(logging)
      })
    },
  }
}
