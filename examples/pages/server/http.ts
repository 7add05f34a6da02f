import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { lookup } from 'mrmime'

export type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => unknown

/**
 * A server on this machine only. Resolves with its origin.
 * @param port 0 for a free one
 * @param host name in the origin: `localhost` and `127.0.0.1` are one machine but two sites
 * @throws when the port is taken
 */
export async function listen(handler: Handler, port: number, host = 'localhost'): Promise<string> {
  const server = createServer(async (request, response) => {
    try {
      await handler(request, response, new URL(request.url ?? '/', `http://${request.headers.host}`))
    } catch (error) {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
      response.end(String(error))
    }
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo // a TCP server's address is never a string
  return `http://${host}:${bound}`
}

/** Content type by a file's name. */
export function typeOf(file: string): string {
  const type = lookup(file) ?? 'application/octet-stream'
  return /^text|javascript|json/.test(type) ? `${type}; charset=utf-8` : type
}
