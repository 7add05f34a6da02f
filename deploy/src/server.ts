import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { compositionSchema } from '@anniversary/shared/contract/composition'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { type HeaderRule, headerRules } from './headers.ts'
import { POINTER_PATH } from './record.ts'
import { CONFIG_PATH } from './site.ts'
import { plain, serveSite } from './static.ts'
import { readJson, type Target } from './target/target.ts'
import { texts } from './texts.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

export interface SiteServer {
  /** Port that it listens on. */
  readonly port: number
  /** Answers requests from now on; before, every answer is 503. */
  open(handler: Handler): void
  /** Stops listening, lets running answers end for at most two seconds. */
  close(): Promise<void>
}

/** For a server that starts or stops. */
export const unavailable: Handler = (request, response) => {
  response.setHeader('retry-after', '2')
  plain(request, response, 503, texts.unavailable)
}

/**
 * Takes a port at once and answers 503 until it is opened: a taken port is known before anything is built, and nobody
 * else can take it meanwhile.
 * @throws with `code` EADDRINUSE or EACCES
 */
export async function listen(host: string, port: number): Promise<SiteServer> {
  let handler: Handler = unavailable
  const server = createServer((request, response) => handler(request, response))
  // Longer than a proxy in front keeps its connections: it must not send into one that is just being closed.
  server.keepAliveTimeout = 65_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  // A TCP server's address is an object; only pipes have a string.
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    open: (opened) => {
      handler = opened
    },
    close: () => closeServer(server),
  }
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), 2000)
    server.close(() => {
      clearTimeout(force)
      resolve()
    })
    server.closeIdleConnections()
  })

/** Handler of a site's files, with the headers that its composition and configuration ask for. */
export function siteHandler(target: Target): Handler {
  const rules = currentRules(target)
  const serve = serveSite(target, rules)
  return (request, response) => {
    serve(request, response).catch((error: unknown) => {
      console.error(error)
      if (response.headersSent) response.destroy()
      else plain(request, response, 500, texts.failed)
    })
  }
}

/** Reads anew at most once a second, so that a deploy of another process is seen. */
function currentRules(target: Target): () => Promise<readonly HeaderRule[]> {
  let rules: Promise<readonly HeaderRule[]> | undefined
  let readAt = 0
  const read = async () =>
    headerRules(
      compositionSchema.parse(await readJson(target, POINTER_PATH)),
      publicConfigSchema.parse(await readJson(target, CONFIG_PATH)),
    )
  return () => {
    if (!rules || Date.now() - readAt > 1000) {
      readAt = Date.now()
      rules = read()
    }
    return rules
  }
}
