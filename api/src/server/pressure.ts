import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { EVENT_TIME_HEADER } from '@anniversary/shared/contract/headers'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { texts } from '../texts.ts'
import type { Context } from './context.ts'
import { Lane, LIMITS, type Limits } from './lane.ts'

const SAMPLE_MS = 250
const FLUSH_MS = 20
const ALWAYS_ANSWERED = /^\/(livez|healthz|metrics)\b/
const BODY = Buffer.from(JSON.stringify({ status_code: 503, message: texts.busy, data: null }))

export interface Traffic {
  /** Calls that have come and are not answered yet. */
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
  startedAt?: number
  reply?: FastifyReply
}

export type Admission = ReturnType<typeof createAdmission>

/**
 * Stands in front of Fastify: lets in what can be answered in time, and answers 503 with `retry-after` to the rest before
 * anything is parsed, routed or logged. Reads, writes and the back office do not wait for each other.
 */
export function createAdmission(
  { now, metrics }: Pick<Context, 'now' | 'metrics'>,
  traffic: Traffic,
  limits: Limits = LIMITS,
) {
  const working = new Map<IncomingMessage, Call>()
  const refused: Call[] = []
  let isFlushing = false
  let unlogged = 0
  let listener: RequestListener = () => undefined

  const start = (call: Call): boolean => {
    const { request, response, lane } = call
    if (response.destroyed) return false
    call.startedAt = performance.now()
    working.set(request, call)
    // 'close' comes also for a caller that hung up.
    response.once('close', () => {
      working.delete(request)
      lane.leave(response.writableFinished && response.statusCode < 500)
    })
    listener(request, response)
    return true
  }
  const lanes = {
    reads: new Lane(start, limits),
    writes: new Lane(start, limits),
    backOffice: new Lane(start, limits),
  }
  const all = Object.values(lanes)
  const laneOf = ({ method, url = '' }: IncomingMessage) =>
    url.startsWith('/api/users/') ? lanes.backOffice : method === 'GET' ? lanes.reads : lanes.writes
  const seconds = () => performance.now() / 1000

  const answer = ({ response }: Call, retryAfter: number) => {
    if (response.destroyed || response.headersSent) return
    response.writeHead(503, [
      'content-type',
      'application/json; charset=utf-8',
      'content-length',
      String(BODY.length),
      'retry-after',
      String(retryAfter),
      'cache-control',
      'no-store',
      EVENT_TIME_HEADER,
      now().toISOString(),
      ...(traffic.leaving || traffic.draining ? ['connection', 'close'] : []),
    ])
    response.end(BODY)
  }
  const flush = () => {
    const batch = refused.splice(0, traffic.draining ? refused.length : (limits.refusals * FLUSH_MS) / 1000)
    isFlushing = refused.length > 0
    if (isFlushing) setTimeout(flush, FLUSH_MS)
    for (const lane of all) {
      const calls = batch.filter((call) => call.lane === lane)
      if (calls.length === 0) continue
      // Another process answers soon for one that stops.
      const retryAfter = traffic.draining ? limits.soonest : lane.turn(seconds(), calls.length)
      for (const call of calls) answer(call, retryAfter)
    }
    unlogged += batch.length
    metrics.refused.inc(batch.length)
  }
  const refuse = (call: Call) => {
    refused.push(call)
    if (!isFlushing) setTimeout(flush, FLUSH_MS)
    isFlushing = true
  }
  const sample = () => {
    for (const lane of all) for (const call of lane.sample(seconds())) refuse(call)
    const overdue = performance.now() - limits.deadlineSeconds * 1000
    // The oldest come first. What they asked the database for goes on: a cancelled commit would be acknowledged
    // without its standby.
    for (const call of working.values()) {
      if (call.since > overdue) break
      // Fastify expects no answer of the handler any more.
      call.reply?.hijack()
      working.delete(call.request)
      refuse(call)
    }
  }

  return {
    /** Of `Fastify()`. */
    serverFactory(handler: RequestListener, { http = {}, requestTimeout = 0, keepAliveTimeout = 0 }) {
      listener = handler
      const server = createServer({ ...http, requestTimeout, keepAliveTimeout }, (request, response) => {
        if (ALWAYS_ANSWERED.test(request.url ?? '')) return handler(request, response)
        traffic.inFlight++
        response.once('close', () => traffic.inFlight--)
        const call: Call = { request, response, since: performance.now(), lane: laneOf(request) }
        if (traffic.draining || !call.lane.enter(call, call.since / 1000)) refuse(call)
      })
      server.maxConnections = limits.connections
      return server
    },
    /** Milliseconds that a call has waited for its turn. */
    waited(request: IncomingMessage): number {
      const { since = 0, startedAt = since } = working.get(request) ?? {}
      return startedAt - since
    },
    waiting: () => all.reduce((sum, { waiting }) => sum + waiting, 0),
    /** The `retry-after` of a call that was let in, and cannot be answered now. */
    turn: (request: IncomingMessage) => laneOf(request).turn(seconds()),
    /** Measures, ends overdue calls and logs, until the server closes. */
    connect(app: FastifyInstance) {
      app.addHook('onRequest', (request, reply, done) => {
        const call = working.get(request.raw)
        if (call) call.reply = reply
        done()
      })
      const sampling = setInterval(sample, SAMPLE_MS)
      const logging = setInterval(() => {
        if (unlogged > 0) app.log.warn({ refused: unlogged, inFlight: traffic.inFlight }, 'calls refused')
        unlogged = 0
      }, 1000)
      app.addHook('onClose', async () => {
        clearInterval(sampling)
        clearInterval(logging)
      })
    },
  }
}
