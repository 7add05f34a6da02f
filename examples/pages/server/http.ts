import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { lookup } from 'mrmime'

export interface Running {
  readonly origin: string
  close(): Promise<void>
}

export type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => unknown

/**
 * A server on this machine only.
 * @param port 0 for a free one
 * @param host name in the origin: `localhost` and `127.0.0.1` are one machine but two sites
 */
export async function listen(handler: Handler, port: number, host = 'localhost'): Promise<Running> {
  const server = createServer(async (request, response) => {
    try {
      await handler(request, response, new URL(request.url ?? '/', `http://${request.headers.host}`))
    } catch (error) {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
      response.end(String(error))
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  // A server that listens on TCP has an address of this shape.
  const { port: bound } = server.address() as AddressInfo
  return {
    origin: `http://${host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // Some pages hang on purpose.
        server.closeAllConnections()
      }),
  }
}

/** Content type by a file's name. */
export function typeOf(file: string): string {
  const type = lookup(file) ?? 'application/octet-stream'
  return /^text|javascript|json/.test(type) ? `${type}; charset=utf-8` : type
}
