import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Server = Awaited<ReturnType<typeof serve>>

/** A server on loopback, on any free port by default. */
export async function serve(handler: RequestListener, port = 0) {
  const server = createServer(handler)
  await new Promise<void>((ready, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', ready)
  })
  const { port: taken } = server.address() as AddressInfo // a TCP server's address is never a string
  return {
    port: taken,
    /** With the loopback address, so that it is another site than the stacks on `localhost`. */
    url: `http://127.0.0.1:${taken}`,
    /** Closes open connections too. */
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** A server that answers every request with this page. */
export const servePage = (html: string): Promise<Server> =>
  serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
  )
