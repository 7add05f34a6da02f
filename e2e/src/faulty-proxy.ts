import {
  request as ask,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { serve } from './server.ts'

/** An answer with its whole body. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Handles one request instead of the proxy. `upstream` forwards it and resolves with the answer. */
export type Fault = (
  request: IncomingMessage,
  response: ServerResponse,
  upstream: () => Promise<Answer>,
) => unknown

/** A call, as `METHOD /path` without its query, or a pattern of paths with their queries. */
export type Target = string | RegExp

export interface FaultyProxy {
  readonly url: string
  /** Requests that arrived, oldest first. */
  readonly requests: readonly { readonly call: string; readonly path: string; readonly body: string }[]
  /** Number of requests for a call; without one, of all calls to the API. */
  count(call?: string): number
  /** Sets the target's fault. */
  break(target: Target, fault: Fault): void
  /** The target's requests wait for `release`. */
  hold(target: Target): void
  /** Forwards all waiting requests. */
  release(): void
  /** Removes the target's fault; without one, all faults. */
  mend(target?: Target): void
  /** Serves these files, by path, besides the stack's. */
  serve(files: ReadonlyMap<string, Answer>): void
  close(): Promise<void>
}

export interface FaultyProxyOptions {
  /** Port to listen on; any free one by default. */
  readonly port?: number
  /** Loopback address to forward from: the server limits by address. */
  readonly from?: string
  /** Changes every answer without a fault. */
  readonly edit?: (answer: Answer, path: string) => Answer
}

/** A real server between browser and stack, with faults that a test sets. */
export async function startFaultyProxy(
  stackUrl: string,
  options: FaultyProxyOptions = {},
): Promise<FaultyProxy> {
  const requests: { call: string; path: string; body: string }[] = []
  const served = new Map<string, Answer>()
  const faults = new Map<string, { target: Target; fault: Fault }>()
  let waiting: (() => void)[] = []

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const path = request.url ?? '/'
    const [name = '/'] = path.split('?')
    const call = `${request.method} ${name}`
    requests.push({ call, path, body: String(body) })
    const upstream = async () => served.get(name) ?? (await forward(stackUrl, options.from, request, body))
    const found = [...faults.values()].find(({ target }) =>
      typeof target === 'string' ? target === call : target.test(path),
    )
    if (found) await found.fault(request, response, upstream)
    else sendEdited(request, response, await upstream())
  }

  function sendEdited({ url = '/' }: IncomingMessage, response: ServerResponse, answer: Answer): void {
    const { status, headers, body } = options.edit?.(answer, url) ?? answer
    response.writeHead(status, headers).end(body)
  }

  const server = await serve((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!request.socket.destroyed) console.error(error)
      request.socket.destroy()
    })
  }, options.port)

  const proxy: FaultyProxy = {
    url: `http://localhost:${server.port}`,
    requests,
    count: (call) =>
      requests.filter((one) => (call === undefined ? one.path.startsWith('/api/') : one.call === call))
        .length,
    break: (target, fault) => void faults.set(String(target), { target, fault }),
    hold(target) {
      proxy.break(target, async (request, response, upstream) => {
        await new Promise<void>((go) => waiting.push(go))
        sendEdited(request, response, await upstream())
      })
    },
    release() {
      for (const go of waiting) go()
      waiting = []
    },
    mend(target) {
      if (target === undefined) faults.clear()
      else faults.delete(String(target))
    },
    serve(files) {
      for (const [path, answer] of files) served.set(path, answer)
    },
    close: server.close,
  }
  return proxy
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Without these the server answers with the whole, uncompressed body. */
const FOR_WHOLE_BODIES = new Set(['accept-encoding', 'if-none-match', 'range'])
const OF_ONE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding'])
const without = (headers: IncomingHttpHeaders, names: ReadonlySet<string>): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name)))

async function forward(
  stackUrl: string,
  localAddress: string | undefined,
  { method, url: path, headers }: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  const { hostname, port } = new URL(stackUrl)
  const to = { hostname, port, path, method, headers: without(headers, FOR_WHOLE_BODIES) }
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    ask({ ...to, ...(localAddress && { localAddress, family: 4 }) })
      .on('response', resolve)
      .on('error', reject)
      .end(body),
  )
  return {
    status: answer.statusCode ?? 502,
    headers: without(answer.headers, OF_ONE_CONNECTION),
    body: await bodyOf(answer),
  }
}
