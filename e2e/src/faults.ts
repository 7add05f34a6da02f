import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Fault } from './faulty-proxy.ts'

/** The proxy answers; the stack gets no request. */
export const answer =
  (body: unknown, status = 200): Fault =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** The API's answer to a call that succeeds. */
export const ok = (data: unknown): Fault => answer({ status_code: 200, data })
/** The API's answer to a call that it rejects with this message. */
export const refused = (status_code: number, message: string): Fault =>
  answer({ status_code, message, data: null })

function plain(response: ServerResponse, status: number): void {
  response
    .writeHead(status, { 'content-type': 'text/plain', 'access-control-allow-origin': '*' })
    .end('no\n')
}

/** Slow enough that a file of any size takes a minute. */
const TRICKLE = { everyMs: 300, parts: 200 }

/** All ways in which a file can fail to arrive, by name. */
export const FAULTS = {
  '404': (_request, response) => plain(response, 404),
  '500': (_request, response) => plain(response, 500),
  hangs: () => undefined,
  // TCP RST, not an orderly end; the stack gets no request.
  reset: (request) => (request.socket as Socket).resetAndDestroy(),
  async truncated(request, response, upstream) {
    const { headers, body } = await upstream()
    response.writeHead(200, { ...headers, 'content-length': body.length })
    response.write(body.subarray(0, body.length / 2), () =>
      setTimeout(() => request.socket.destroy(), 20),
    )
  },
  // A server with a fallback page answers this for a missing file.
  async html(_request, response, upstream) {
    const { headers } = await upstream()
    const page = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' }
    response.writeHead(200, { ...headers, ...page }).end('<!doctype html><title>Trang chủ</title>')
  },
  async 'changed byte'(_request, response, upstream) {
    const { headers, body } = await upstream()
    const changed = Buffer.from(body)
    const last = body.length - 2
    changed[last] = (body[last] ?? 0) ^ 1
    response.writeHead(200, headers).end(changed)
  },
  async 'wrong type'(_request, response, upstream) {
    const { headers, body } = await upstream()
    response.writeHead(200, { ...headers, 'content-type': 'application/octet-stream' }).end(body)
  },
  async trickles(_request, response, upstream) {
    const { headers, body } = await upstream()
    response.writeHead(200, { ...headers, 'content-length': body.length })
    let part = 0
    const endOf = (n: number) => Math.round((n * body.length) / TRICKLE.parts)
    const timer = setInterval(() => {
      response.write(body.subarray(endOf(part), endOf(part + 1)))
      part += 1
    }, TRICKLE.everyMs)
    response.on('close', () => clearInterval(timer))
  },
} satisfies Record<string, Fault>

export type FaultName = keyof typeof FAULTS
