import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Server = Awaited<ReturnType<typeof serve>>

/** A server on loopback, on any free port. */
export async function serve(handler: RequestListener) {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string
  return {
    port,
    /** With the loopback address, so that it is another site than the stacks on `localhost`. */
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
