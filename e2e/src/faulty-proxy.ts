import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What becomes of a call instead of its answer.
 *
 * - `answer`: the proxy answers by itself; the stack never hears of the call
 * - `cut`: the connection is cut before the stack hears of the call
 * - `lose`: the stack does its work, and the answer is lost on the way back
 * - `hold`: nothing happens until `release`
 */
export type Fault =
  | { readonly do: 'answer'; readonly status?: number; readonly body?: unknown }
  | { readonly do: 'cut' | 'lose' | 'hold' }

export interface FaultyProxy {
  readonly url: string
  /** Calls to the API that arrived, oldest first, as `METHOD /path` without the query. */
  readonly calls: readonly string[]
  /** From now on this happens to the call `METHOD /path`, until `mend`. */
  break(call: string, fault: Fault): void
  /** The call works again; without one, every call. Held calls stay held. */
  mend(call?: string): void
  /** Lets held calls go on to the stack. */
  release(): void
  close(): Promise<void>
}

/**
 * A real server between the browser and a stack, that misbehaves for chosen calls and hands on everything else.
 * @param stackUrl origin of the stack
 * @param from loopback address that the stack sees as the member's, for what it limits by address
 */
export async function startFaultyProxy(stackUrl: string, from?: string): Promise<FaultyProxy> {
  const { hostname, port: stackPort } = new URL(stackUrl)
  const calls: string[] = []
  const faults = new Map<string, Fault>()
  let held: (() => void)[] = []

  const handOn = (request: IncomingMessage, response: ServerResponse, body: Buffer, lose: boolean) => {
    const onward = ask(
      {
        hostname,
        port: stackPort,
        path: request.url,
        method: request.method,
        headers: request.headers,
        ...(from && { localAddress: from, family: 4 }),
      },
      (answer) => {
        if (lose) {
          answer.resume()
          answer.on('end', () => request.socket.destroy())
          return
        }
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(response)
      },
    )
    onward.on('error', () => request.socket.destroy())
    onward.end(body)
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return // The browser went away while it was sending.
    }
    const call = `${request.method} ${request.url?.split('?')[0]}`
    if (call.includes(' /api/')) calls.push(call)
    const fault = faults.get(call)
    if (fault?.do === 'cut') {
      request.socket.destroy()
      return
    }
    if (fault?.do === 'answer') {
      response.writeHead(fault.status ?? 200, { 'content-type': 'application/json' })
      response.end(fault.body === undefined ? '' : JSON.stringify(fault.body))
      return
    }
    if (fault?.do === 'hold') await new Promise<void>((go) => held.push(go))
    handOn(request, response, Buffer.concat(chunks), fault?.do === 'lose')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string

  return {
    url: `http://localhost:${port}`,
    calls,
    break: (call, fault) => void faults.set(call, fault),
    mend: (call) => void (call === undefined ? faults.clear() : faults.delete(call)),
    release() {
      for (const go of held) go()
      held = []
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
