import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { compositionSchema } from '@anniversary/shared/contract/composition'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { POINTER_PATH } from '../site/record.ts'
import { CONFIG_PATH } from '../site/write-pages.ts'
import { readJson, type Target } from '../target/target.ts'
import { texts } from '../texts.ts'
import { type HeaderRule, headerRules } from './headers.ts'
import { plain, serveSite } from './static.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

export interface SiteServer {
  readonly port: number
  /** Sets the handler; until then every answer is 503. */
  open(handler: Handler): void
  /** Stops listening, and waits at most two seconds for running answers. */
  close(): Promise<void>
}

/** Answers 503, for a server that is starting or stopping. */
export const unavailable: Handler = (request, response) => {
  response.setHeader('retry-after', '2')
  plain(request, response, 503, texts.unavailable)
}

/**
 * Binds the port at once, so that a taken port fails before anything is built. Answers 503 until `open`.
 * @throws with `code` EADDRINUSE or EACCES
 */
export async function listen(host: string, port: number): Promise<SiteServer> {
  let handler: Handler = unavailable
  const server = createServer((request, response) => handler(request, response))
  // Longer than a proxy keeps connections, so that it never sends on one that this server is closing.
  server.keepAliveTimeout = 65_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  // Only the address of a pipe is a string.
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    open: (opened) => {
      handler = opened
    },
    close: async () => {
      const force = setTimeout(() => server.closeAllConnections(), 2000)
      await new Promise((resolve) => server.close(resolve))
      clearTimeout(force)
    },
  }
}

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

/** Caches the rules for a second, so that a deploy by another process shows soon. */
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
