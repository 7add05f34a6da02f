import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The path of the file that names the site's versions. */
export const COMPOSITION = /\/\d+-[0-9a-f]{12}\.json$/

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * Handles one request instead of the proxy. `upstream` forwards it and resolves
 * with the answer.
 */
export type Fault = (
  request: IncomingMessage,
  response: ServerResponse,
  upstream: () => Promise<Answer>,
) => unknown

/**
 * A call, as `METHOD /path` without its query, or a pattern of paths with their
 * queries.
 */
type Target = string | RegExp

export type FaultyProxy = Awaited<ReturnType<typeof startFaultyProxy>>

/**
 * Starts a proxy between browser and stack, to which a test adds faults; `edit`
 * changes every other answer.
 */
export async function startFaultyProxy(
  stackUrl: string,
  edit?: (answer: Answer, path: string) => Answer | Promise<Answer>,
) {
  /** Requests that arrived, oldest first. */
  const requests: { readonly call: string; readonly path: string; readonly body: string }[] = []
  const faults = new Map<string, { target: Target; fault: Fault }>()
  const held: (() => void)[] = []

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const path = request.url ?? '/'
    const call = `${request.method} ${path.split('?')[0]}`
    requests.push({ call, path, body: String(body) })
    const upstream = () => forward(stackUrl + path, request, body)
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

  const breakTarget = (target: Target, fault: Fault) =>
    void faults.set(String(target), { target, fault })

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!request.socket.destroyed) console.error(error)
      request.socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string

  return {
    url: `http://127.0.0.1:${port}`,
    /** Another site than the stacks, which are on `127.0.0.1`. */
    foreignUrl: `http://localhost:${port}`,
    requests,
    break: breakTarget,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
    count: (call: string) => requests.filter((one) => one.call === call).length,
    /** The target's requests wait for `release`; those that come later do not. */
    hold(target: Target) {
      const released = new Promise<void>((release) => held.push(release))
      breakTarget(target, async (...exchange) => {
        await released
        await sendEdited(...exchange)
      })
    },
    release() {
      for (const release of held.splice(0)) release()
    },
    /** Removes the target's fault; without one, all faults. */
    restore(target?: Target) {
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

/**
 * Headers of one connection, and those that would make the server send a part
 * or a compressed body.
 */
const OWN =
  /^(connection|keep-alive|transfer-encoding|content-length|accept-encoding|if-none-match|range)$/
const without = (headers: Iterable<readonly [string, unknown]>) =>
  Object.fromEntries(
    [...headers].filter(([name]) => !OWN.test(name)).map(([name, value]) => [name, String(value)]),
  )

async function forward(
  to: string,
  { method = 'GET', headers }: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  const answer = await fetch(to, {
    method,
    headers: { ...without(Object.entries(headers)), 'accept-encoding': 'identity' },
    redirect: 'manual',
    body: body.length > 0 ? new Uint8Array(body) : null,
  })
  return {
    status: answer.status,
    headers: without(answer.headers),
    body: Buffer.from(await answer.arrayBuffer()),
  }
}
