import {
  request as ask,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { serve } from './server.ts'

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
type Target = string | RegExp

export type FaultyProxy = Awaited<ReturnType<typeof startFaultyProxy>>

/** A real server between browser and stack, with faults that a test sets; `edit` changes every other answer. */
export async function startFaultyProxy(
  stackUrl: string,
  edit?: (answer: Answer, path: string) => Answer | Promise<Answer>,
) {
  /** Requests that arrived, oldest first. */
  const requests: { readonly call: string; readonly path: string; readonly body: string }[] = []
  const faults = new Map<string, { target: Target; fault: Fault }>()
  let waiting: (() => void)[] = []

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const path = request.url ?? '/'
    const call = `${request.method} ${path.split('?')[0]}`
    requests.push({ call, path, body: String(body) })
    const upstream = () => forward(stackUrl, request, body)
    const found = [...faults.values()].find(({ target }) =>
      typeof target === 'string' ? target === call : target.test(path),
    )
    await (found?.fault ?? sendEdited)(request, response, upstream)
  }

  const sendEdited: Fault = async ({ url = '/' }, response, upstream) => {
    const answer = await upstream()
    const { status, headers, body } = (await edit?.(answer, url)) ?? answer
    response.writeHead(status, headers).end(body)
  }

  const breakTarget = (target: Target, fault: Fault) => void faults.set(String(target), { target, fault })

  const server = await serve((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!request.socket.destroyed) console.error(error)
      request.socket.destroy()
    })
  })

  return {
    url: `http://localhost:${server.port}`,
    requests,
    break: breakTarget,
    close: server.close,
    /** Number of requests for a call; without one, of all calls to the API. */
    count: (call?: string) =>
      requests.filter((one) => (call === undefined ? one.path.startsWith('/api/') : one.call === call))
        .length,
    /** The target's requests wait for `release`. */
    hold(target: Target) {
      breakTarget(target, async (...exchange) => {
        await new Promise<void>((go) => waiting.push(go))
        await sendEdited(...exchange)
      })
    },
    release() {
      for (const go of waiting) go()
      waiting = []
    },
    /** Removes the target's fault; without one, all faults. */
    mend(target?: Target) {
      if (target === undefined) faults.clear()
      else faults.delete(String(target))
    },
  }
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
  { method, url: path, headers }: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  const { hostname, port } = new URL(stackUrl)
  const to = { hostname, port, path, method, headers: without(headers, FOR_WHOLE_BODIES) }
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    ask(to).on('response', resolve).on('error', reject).end(body),
  )
  return {
    status: answer.statusCode ?? 502,
    headers: without(answer.headers, OF_ONE_CONNECTION),
    body: await bodyOf(answer),
  }
}
