import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { EVENT_TIME_HEADER } from '@anniversary/shared/contract/headers'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { texts } from '../texts.ts'
import type { Context } from './context.ts'
import { Lane, LIMITS, type Limits } from './lane.ts'

const SAMPLE_MS = 250
const ALWAYS_ANSWERED = /^\/(livez|healthz|metrics)\b/
const BODY = JSON.stringify({ status_code: 503, message: texts.busy, data: null })
const LENGTH = String(Buffer.byteLength(BODY))

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
  hasLeft?: boolean
  reply?: FastifyReply
}

export type Admission = ReturnType<typeof createAdmission>

/**
 * Stands in front of Fastify: lets in what can be answered in time, and answers 503 with `retry-after` to the rest before
 * anything is parsed, routed or logged. Reads, writes and the back office do not wait for each other.
 */
export function createAdmission(
  { now, metrics, config }: Pick<Context, 'now' | 'metrics' | 'config'>,
  traffic: Traffic,
  limits: Limits = LIMITS,
) {
  const working = new Map<IncomingMessage, Call>()
  /** Refused callers, in the order in which they are read again. */
  const resting: { readonly socket: Socket; readonly until: number }[] = []
  /** Whole refusals by their `retry-after`, made again with each sample: a write by Node's ServerResponse costs half as much again. */
  const prepared = new Map<number, Buffer>()
  let unlogged = 0
  let listener: RequestListener = () => undefined

  const leave = (call: Call) => {
    const { response, lane, hasLeft } = call
    call.hasLeft = true
    if (!hasLeft) lane.leave(response.writableFinished && response.statusCode < 500)
  }
  const start = (call: Call): boolean => {
    const { request, response } = call
    if (response.destroyed) return false
    call.startedAt = performance.now()
    working.set(request, call)
    // 'close' comes also for a caller that hung up.
    response.once('close', () => {
      working.delete(request)
      leave(call)
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

  const linesOf = (retryAfter: number) => ({
    'content-type': 'application/json; charset=utf-8',
    'content-length': LENGTH,
    'retry-after': String(retryAfter),
    'cache-control': 'no-store',
    [EVENT_TIME_HEADER]: now().toISOString(),
  })
  const wholeOf = (retryAfter: number): Buffer => {
    const lines = {
      ...linesOf(retryAfter),
      date: new Date().toUTCString(),
      connection: 'keep-alive',
    }
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
    return Buffer.from(`HTTP/1.1 503 Service Unavailable\r\n${head.join('')}\r\n${BODY}`)
  }
  const refuse = ({ request, response, lane, startedAt }: Call) => {
    if (response.destroyed || response.headersSent) return
    const { socket, method } = request
    const isLast = traffic.leaving || traffic.draining || !response.shouldKeepAlive
    // Another process answers soon for one that stops.
    const retryAfter = traffic.draining ? limits.soonest : lane.turn(performance.now() / 1000)
    unlogged++
    metrics.refused.inc()
    // A proxy sends other callers' calls over the connection. Node resumes the socket until its response is closed.
    if (config.trustProxy === 0) response.once('close', () => rest(socket))
    // Its turn has not come (pipelined), Fastify knows it, or its form is another.
    if (!response.socket || startedAt !== undefined || isLast || method === 'HEAD') {
      if (isLast) response.setHeader('connection', 'close')
      response.writeHead(503, linesOf(retryAfter)).end(BODY)
      return
    }
    const answer = prepared.get(retryAfter) ?? wholeOf(retryAfter)
    prepared.set(retryAfter, answer)
    socket.write(answer)
    // Node goes on to the connection's next call, as after an answer of its own.
    response.emit('finish')
  }
  /** Reads nothing of a refused caller for a while: one who comes back too early waits, and costs nothing. */
  const rest = (socket: Socket) => {
    socket.pause()
    resting.push({ socket, until: performance.now() + limits.pauseSeconds * 1000 })
  }
  const sample = () => {
    prepared.clear()
    const rested = resting.findIndex(({ until }) => until > performance.now())
    for (const { socket } of resting.splice(0, rested < 0 ? resting.length : rested))
      socket.resume()
    for (const lane of all) for (const call of lane.sample(performance.now() / 1000)) refuse(call)
    const overdue = performance.now() - limits.deadlineSeconds * 1000
    // The oldest come first. What they asked the database for goes on: a cancelled commit would be acknowledged
    // without its standby.
    for (const call of working.values()) {
      // A body that comes slowly takes no place from others.
      if (!call.request.complete && performance.now() - (call.startedAt ?? 0) > SAMPLE_MS)
        leave(call)
      if (call.since > overdue) continue
      // Fastify expects no answer of the handler any more.
      call.reply?.hijack()
      working.delete(call.request)
      refuse(call)
    }
  }

  return {
    /** Of `Fastify()`. */
    serverFactory(
      handler: RequestListener,
      { http = {}, requestTimeout = 0, keepAliveTimeout = 0 },
    ) {
      listener = handler
      const server = createServer(
        { ...http, requestTimeout, keepAliveTimeout },
        (request, response) => {
          if (ALWAYS_ANSWERED.test(request.url ?? '')) return handler(request, response)
          const call: Call = { request, response, since: performance.now(), lane: laneOf(request) }
          if (traffic.draining || !call.lane.enter(call, call.since / 1000)) return refuse(call)
          traffic.inFlight++
          response.once('close', () => traffic.inFlight--)
        },
      )
      server.maxConnections = limits.connections
      return server
    },
    /** Milliseconds that a call has waited for its turn. */
    waited(request: IncomingMessage): number {
      const { since = 0, startedAt = since } = working.get(request) ?? {}
      return startedAt - since
    },
    /** The `retry-after` of a call that was let in, and cannot be answered now. */
    turn: (request: IncomingMessage) => laneOf(request).turn(performance.now() / 1000),
    /** Measures, ends overdue calls and logs, until the server closes. */
    connect(app: FastifyInstance) {
      app.addHook('onRequest', (request, reply, done) => {
        const call = working.get(request.raw)
        if (call) call.reply = reply
        done()
      })
      const sampling = setInterval(sample, SAMPLE_MS)
      const logging = setInterval(() => {
        if (unlogged > 0)
          app.log.warn({ refused: unlogged, inFlight: traffic.inFlight }, 'calls refused')
        unlogged = 0
      }, 1000)
      app.addHook('onClose', async () => {
        clearInterval(sampling)
        clearInterval(logging)
      })
    },
  }
}
