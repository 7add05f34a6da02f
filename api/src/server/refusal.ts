import type { IncomingMessage, ServerResponse } from 'node:http'
import { EVENT_TIME_HEADER } from '@anniversary/shared/contract/headers'
import { memberTexts } from '../texts.ts'

const BODY = JSON.stringify({ status_code: 503, message: memberTexts.busy, data: null })
const BODY_BYTES = String(Buffer.byteLength(BODY))

interface RefusedCall {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Seconds after which to come back. */
  readonly retryAfter: number
  /** The connection ends with this answer. */
  readonly isLast: boolean
  /** Fastify has the call, and watches its response. */
  readonly isStarted: boolean
}

/** @param now the event's clock */
export function createRefusals(now: () => Date) {
  const prepared = new Map<number, Buffer>()

  const headersOf = (retryAfter: number) => ({
    'content-type': 'application/json; charset=utf-8',
    'content-length': BODY_BYTES,
    'retry-after': String(retryAfter),
    'cache-control': 'no-store',
    [EVENT_TIME_HEADER]: now().toISOString(),
  })

  function prepare(retryAfter: number): Buffer {
    const headers = {
      ...headersOf(retryAfter),
      date: new Date().toUTCString(),
      connection: 'keep-alive',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const answer = Buffer.from(`HTTP/1.1 503 Service Unavailable\r\n${lines.join('')}\r\n${BODY}`)
    prepared.set(retryAfter, answer)
    return answer
  }

  return {
    /** The answers hold the time. */
    forgetPrepared: () => prepared.clear(),

    /** @returns whether the answer is finished; else Node finishes it. */
    send({ request, response, retryAfter, isLast, isStarted }: RefusedCall): boolean {
      const isPipelined = !response.socket
      const isForNode = isPipelined || isStarted || isLast || request.method === 'HEAD'
      if (isLast) response.setHeader('connection', 'close')
      if (isForNode) {
        response.writeHead(503, headersOf(retryAfter)).end(BODY)
        return false
      }
      // A write by ServerResponse takes half as long again. After 'finish',
      // Node goes on to the connection's next call.
      request.socket.write(prepared.get(retryAfter) ?? prepare(retryAfter))
      response.emit('finish')
      return true
    },
  }
}
