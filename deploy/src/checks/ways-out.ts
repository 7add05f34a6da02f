import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Handler } from '../serve/server.ts'

export interface SiteBrowser {
  serve(handler: Handler): string
  openPage(): Promise<Page>
}

const MDNS = { address: '224.0.0.251', port: 5353 }

/**
 * Tries TCP, STUN over UDP and multicast DNS. Questions to DNS servers
 * elsewhere are not seen: chromium-without-network starts in no namespace with
 * an address.
 * @param patience milliseconds
 * @returns what arrived
 */
export async function networkWaysOut(
  { serve, openPage }: SiteBrowser,
  patience = 1500,
): Promise<string[]> {
  const found = new Set<string>()
  const tcp = createServer((socket) => {
    found.add('TCP')
    socket.on('error', () => undefined).destroy()
  }).listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const stun = await receive(0, () => found.add('UDP'))
  const mdns = await receive(MDNS.port, () => found.add('multicast DNS')).catch(() => null)
  mdns?.addMembership(MDNS.address, '127.0.0.1')

  try {
    const origin = serve((_, response) => {
      response.setHeader('content-type', 'text/html')
      // Only the address of a pipe is a string.
      const { port } = tcp.address() as AddressInfo
      response.end(pageFor(port, stun.address().port))
    })
    const page = await openPage()
    await page.goto(origin)
    await page.waitForFunction('window.hasTried')
    for (const end = Date.now() + patience; Date.now() < end && found.size < 2; ) await sleep(50)
    await page.context().close()
    return [...found].sort()
  } finally {
    for (const socket of [tcp, stun, mdns]) socket?.close()
  }
}

async function receive(port: number, onPacket: () => void): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true }).on('message', onPacket)
  socket.bind(port, port === 0 ? '127.0.0.1' : undefined)
  await once(socket, 'listening')
  return socket
}

const pageFor = (tcp: number, udp: number) => `<!doctype html><script type="module">
const ended = (make, ...events) => new Promise((resolve) => {
  const one = make()
  for (const event of events) one.addEventListener(event, resolve)
})
const gather = async (iceServers) => {
  const peer = new RTCPeerConnection({ iceServers })
  peer.createDataChannel('x')
  await peer.setLocalDescription(await peer.createOffer())
}
await Promise.allSettled([
  fetch('http://127.0.0.1:${tcp}/'),
  ended(() => new WebSocket('ws://127.0.0.1:${tcp}/'), 'error', 'close'),
  gather([{ urls: 'stun:127.0.0.1:${udp}' }]),
  gather([{ urls: 'stun:localhost:${udp}' }]),
])
window.hasTried = true
</script>`
