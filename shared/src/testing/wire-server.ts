import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'

/** A request as the server saw it. */
interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

/** `null`: the connection is cut without an answer. */
type WireAnswer = { status?: number; body?: unknown; headers?: Record<string, string> } | null

export interface WireServer {
  readonly url: string
  readonly seen: readonly SeenRequest[]
  /** Sets the answer to `METHOD /path`, whatever the query. */
  answer(route: string, answer: WireAnswer): void
  close(): Promise<void>
}

/** Starts a real HTTP server with answers given by the test. */
export async function startWireServer(): Promise<WireServer> {
  const seen: SeenRequest[] = []
  const answers = new Map<string, WireAnswer>()
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const path = request.url ?? ''
    const method = request.method ?? ''
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'authorization, x-sign-key, content-type')
    response.setHeader(
      'access-control-expose-headers',
      'x-event-time, x-spread-seconds, retry-after, age, date, last-modified',
    )
    if (method === 'OPTIONS') {
      response.end()
      return
    }
    seen.push({ method, path, headers: request.headers, body: body ? JSON.parse(body) : undefined })
    const answer = answers.get(`${method} ${path.split('?')[0]}`)
    if (!answer) {
      request.socket.destroy()
      return
    }
    response.writeHead(answer.status ?? 200, {
      'content-type': 'application/json',
      ...answer.headers,
    })
    response.end(JSON.stringify(answer.body ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    answer: (route, answer) => void answers.set(route, answer),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

export const ok = (data: unknown) => ({ body: { status_code: 200, data } })

/** Waits in turns of the event loop, which fake timers leave alone. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await setImmediate()
}

/** Waits until an answer that has been sent has had its effect. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await setImmediate()
}
