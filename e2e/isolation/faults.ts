import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What a server would have answered. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** How a server misbehaves for one file. */
export type Misbehave = (request: IncomingMessage, response: ServerResponse, answer: Answer) => void

function plain(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain', 'access-control-allow-origin': '*' }).end('no\n')
}

/** An answer that is always about to come: whatever the file's size, its last byte would come after a minute. */
const TRICKLE = { everyMs: 300, parts: 200 }

/** All ways in which a file can fail to arrive, by name. */
export const FAULTS = {
  '404': (_request, response) => plain(response, 404),
  '500': (_request, response) => plain(response, 500),
  // The connection stays open without a word.
  hangs: () => undefined,
  // TCP RST, not an orderly end.
  reset: (request) => void (request.socket as Socket).resetAndDestroy(),
  truncated(request, response, { headers, body }) {
    response.writeHead(200, { ...headers, 'content-length': body.length })
    response.write(body.subarray(0, body.length / 2), () => setTimeout(() => request.socket.destroy(), 20))
  },
  // What a server with a fallback to its first page sends for a file it does not have.
  html(_request, response, { headers }) {
    const page = Buffer.from('<!doctype html><title>Trang chủ</title>')
    response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-length': page.length,
        'cache-control': 'no-cache',
        'access-control-allow-origin': headers['access-control-allow-origin'] ?? '*',
      })
      .end(page)
  },
  'changed byte'(_request, response, { headers, body }) {
    const changed = Buffer.from(body)
    const last = body.length - 2
    changed[last] = (body[last] ?? 0) ^ 1
    response.writeHead(200, headers).end(changed)
  },
  'wrong type'(_request, response, { headers, body }) {
    response.writeHead(200, { ...headers, 'content-type': 'application/octet-stream' }).end(body)
  },
  trickles(_request, response, { headers, body }) {
    response.writeHead(200, { ...headers, 'content-length': body.length })
    let part = 0
    const endOf = (n: number) => Math.round((n * body.length) / TRICKLE.parts)
    const timer = setInterval(() => {
      response.write(body.subarray(endOf(part), endOf(part + 1)))
      part += 1
    }, TRICKLE.everyMs)
    response.on('close', () => clearInterval(timer))
  },
} satisfies Record<string, Misbehave>

export type FaultName = keyof typeof FAULTS
// The keys of an object literal are its type's keys.
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[]

export type FileKind = 'entry' | 'script' | 'style'

/** What the report must name for a fault of a file. */
export function phaseOf(kind: FileKind, fault: FaultName): string {
  if (fault === 'hangs' || fault === 'trickles') return 'deadline'
  if (fault === 'changed byte') return 'integrity'
  return kind === 'entry' ? 'entry' : 'chunk'
}

/** Nothing fails, so the loader must lose its patience first. */
export const isSlow = (fault: FaultName): boolean => fault === 'hangs' || fault === 'trickles'
