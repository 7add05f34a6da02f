import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns ports that were free a moment ago. The kernel gives them to nobody:
 * they are below those that it chooses.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = 20_000 + Math.floor(Math.random() * 12_768)
    if (!ports.includes(port) && (await isFree(port))) ports.push(port)
  }
  return ports
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}
