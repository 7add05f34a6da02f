import { connect, type Socket } from 'node:net'

export interface LoadResult {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

const HEADER_END = Buffer.from('\r\n\r\n')
const LENGTH = Buffer.from('content-length: ')

/** Length of the answer at the buffer's start, or undefined while its head is not there. */
function answerLength(buffer: Buffer): number | undefined {
  const end = buffer.indexOf(HEADER_END)
  if (end < 0) return undefined
  const at = buffer.indexOf(LENGTH)
  const length = Number.parseInt(buffer.toString('latin1', at + LENGTH.length, at + LENGTH.length + 10), 10)
  return end + HEADER_END.length + length
}

/**
 * Sends requests over keep-alive connections, one at a time on each, and measures. A client of its own: the machine's
 * two cores are shared with server and database, and a general one would take more of them than the server.
 * @param next the next request's bytes; undefined when there are no more
 * @throws Error when an answer is not `status_code` 200
 */
export async function httpLoad(
  origins: readonly string[],
  connections: number,
  seconds: number,
  next: () => Buffer | undefined,
): Promise<LoadResult> {
  const latencies: number[] = []
  const started = performance.now()
  const until = started + seconds * 1000
  let ended = started

  const drive = (socket: Socket) =>
    new Promise<void>((done, failed) => {
      let held: Buffer = Buffer.alloc(0)
      let sentAt = 0
      const send = () => {
        const request = performance.now() < until ? next() : undefined
        if (!request) {
          socket.destroy()
          done()
          return
        }
        sentAt = performance.now()
        socket.write(request)
      }
      socket.on('data', (chunk: Buffer) => {
        held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
        const length = answerLength(held)
        if (length === undefined || held.length < length) return
        ended = performance.now()
        latencies.push(ended - sentAt)
        if (!held.includes('"status_code":200')) {
          failed(new Error(`an answer under load was refused: ${held.toString('utf8').slice(0, 600)}`))
          return
        }
        held = held.subarray(length)
        send()
      })
      socket.on('error', failed)
      socket.once('connect', send)
    })

  const sockets = Array.from({ length: connections }, (_, i) => {
    const { hostname, port } = new URL(origins[i % origins.length] ?? '')
    return connect({ host: hostname, port: Number(port), noDelay: true })
  })
  try {
    await Promise.all(sockets.map(drive))
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  const sorted = Float64Array.from(latencies).sort()
  const at = (part: number) => Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 100) / 100
  return { perSecond: Math.round((latencies.length / (ended - started)) * 1000), p50: at(0.5), p99: at(0.99) }
}

/** A GET with a member's token. */
export const getRequest = (path: string, token: string): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nhost: bench\r\nx-sign-key: ${token}\r\n\r\n`)

/** A claim. */
export function claimRequest(mission: string, token: string): Buffer {
  const body = `{"event_code_detail":"${mission}"}`
  return Buffer.from(
    `POST /api/client/take-code?event_code_detail=${mission} HTTP/1.1\r\nhost: bench\r\nx-sign-key: ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
}
