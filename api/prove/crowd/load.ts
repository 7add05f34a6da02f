import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { LIMITS } from '../../src/server/lane.ts'

export interface Load {
  readonly origin: string
  readonly tokens: readonly string[]
  /** Keep-alive, with one call at a time on each. */
  readonly connections: number
  readonly seconds: number
  /**
   * Calls a second, whether or not the last are answered, as far as connections
   * are free; absent: each connection sends the next at once.
   */
  readonly rate?: number
  /**
   * A call that has waited longer at the end is lost; absent: five seconds more
   * than the server's deadline.
   */
  readonly lostAfterSeconds?: number
}

export interface Loaded {
  /** Calls, answered or not. */
  readonly sent: number
  /** Answers by status; by 0, broken connections and lost calls. */
  readonly answers: Readonly<Record<number, number>>
  /** 200s of each second. */
  readonly perSecond: readonly number[]
  /** Milliseconds of a 200. NaN: there was none. */
  readonly p99: number
}

export async function load(of: Load): Promise<Loaded> {
  const child = fork(fileURLToPath(import.meta.url), {
    execArgv: ['--import', 'tsx'],
    // JSON makes NaN null.
    serialization: 'advanced',
  })
  child.send(of)
  const failed = once(child, 'exit').then(() => {
    throw new Error('the load ended without figures')
  })
  const [loaded] = await Promise.race([once(child, 'message'), failed])
  return loaded as Loaded // which `run` has sent
}

async function run({
  origin,
  tokens,
  connections,
  seconds,
  rate,
  lostAfterSeconds = LIMITS.deadlineSeconds + 5,
}: Load): Promise<Loaded> {
  const { hostname, port } = new URL(origin)
  const requests = tokens.map((token) =>
    Buffer.from(`GET /api/client/info HTTP/1.1\r\nhost: x\r\nx-sign-key: ${token}\r\n\r\n`),
  )
  const answers: Record<number, number> = {}
  const perSecond = Array.from({ length: seconds }, () => 0)
  const times: number[] = []
  /** From `firstFree`: the server closes a connection that stays idle. */
  const free: Socket[] = []
  let firstFree = 0
  const sockets: Socket[] = []
  let started = Number.POSITIVE_INFINITY
  let sent = 0
  /** Of calls without an answer. */
  const sentAt = new Map<Socket, number>()
  const send = (socket: Socket) => {
    sentAt.set(socket, performance.now())
    socket.write(requests[sent++ % requests.length] ?? '')
  }
  const open = async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, 'connect')
    let held = ''
    socket.on('data', (chunk) => {
      held += chunk.toString('latin1')
      const head = held.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(held)?.[1])
      if (head < 0 || held.length < head + 4 + length) return
      const now = performance.now()
      const status = Number(held.slice(9, 12))
      held = ''
      const second = Math.floor((now - started) / 1000)
      if (second >= 0 && second < seconds) {
        answers[status] = (answers[status] ?? 0) + 1
        if (status === 200) {
          perSecond[second] = (perSecond[second] ?? 0) + 1
          times.push(now - (sentAt.get(socket) ?? now))
        }
      }
      sentAt.delete(socket)
      if (rate === undefined && second < seconds) send(socket)
      else free.push(socket)
    })
    // 'close' follows.
    socket.on('error', () => undefined)
    socket.once('close', () => {
      answers[0] = (answers[0] ?? 0) + 1
      sentAt.delete(socket)
    })
    sockets.push(socket)
    free.push(socket)
  }
  for (let left = connections; left > 0; left -= 100)
    await Promise.all(Array.from({ length: Math.min(left, 100) }, open))
  started = performance.now()
  if (rate === undefined) for (const socket of free.splice(0)) send(socket)
  const isOpen = () => sockets.some(({ closed }) => !closed)
  for (let due = 0; performance.now() < started + seconds * 1000 && isOpen(); ) {
    await sleep(2)
    if (rate === undefined) continue
    const until = ((performance.now() - started) / 1000) * rate
    for (; due < until; due++) {
      const socket = free[firstFree]
      if (!socket) continue
      send(socket)
      firstFree++
    }
  }
  const lost = performance.now() - lostAfterSeconds * 1000
  for (const at of sentAt.values()) if (at < lost) answers[0] = (answers[0] ?? 0) + 1
  for (const socket of sockets) socket.removeAllListeners('close').destroy()
  times.sort((a, b) => a - b)
  return {
    sent,
    answers,
    perSecond,
    p99: Math.round(times[Math.floor(times.length * 0.99)] ?? Number.NaN),
  }
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url))
  process.once('message', async (of: Load) => {
    process.send?.(await run(of))
    process.disconnect()
  })
