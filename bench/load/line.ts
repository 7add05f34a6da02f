import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The design's slow 4G. */
const BYTES_PER_MS = { down: 1_600_000 / 8 / 1000, up: 750_000 / 8 / 1000 }
const ROUND_TRIP_MS = 150
const PACKET = 1460

/**
 * A line between browser and server, for all connections together: packets travel one after the other in the order in
 * which they were sent, and are under way for half a round trip.
 * @param to port of the server
 */
export async function openLine(to: number): Promise<{ readonly port: number; close(): void }> {
  const [up, down] = [oneWay(BYTES_PER_MS.up), oneWay(BYTES_PER_MS.down)]
  const server = createServer({ noDelay: true }, (browser) => {
    const upstream = connect({ port: to, host: 'localhost', noDelay: true })
    up(browser, upstream)
    down(upstream, browser)
  })
  await new Promise<void>((ready) => server.listen(0, 'localhost', ready))
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string
  return { port, close: () => server.close() }
}

function oneWay(bytesPerMs: number): (from: Socket, into: Socket) => void {
  let free = 0
  const underWay: { at: number; arrive(): void }[] = []
  const deliver = () => {
    while (underWay[0] && underWay[0].at <= performance.now()) underWay.shift()?.arrive()
    if (underWay[0]) setTimeout(deliver, underWay[0].at - performance.now())
  }
  const send = (bytes: number, arrive: () => void) => {
    free = Math.max(free, performance.now()) + bytes / bytesPerMs
    if (underWay.push({ at: free + ROUND_TRIP_MS / 2, arrive }) === 1) setTimeout(deliver, ROUND_TRIP_MS / 2)
  }
  return (from, into) => {
    from.on('data', (bytes) => {
      for (let at = 0; at < bytes.length; at += PACKET) {
        const packet = bytes.subarray(at, at + PACKET)
        send(packet.length, () => into.write(packet))
      }
    })
    from.on('error', () => into.destroy())
    from.on('end', () => send(0, () => into.end()))
    into.on('error', () => from.destroy())
  }
}
