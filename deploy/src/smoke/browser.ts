import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/**
 * A headless Chromium, driven over a pipe by its own protocol (chromedevtools.github.io/devtools-protocol). A handful
 * of calls: a driver library would be the largest dependency of this tool.
 */
export interface Browser {
  open(): Promise<Tab>
  close(): Promise<void>
}

export interface Tab {
  /** @throws what the browser answers */
  call(method: string, params?: object): Promise<Record<string, unknown>>
  on(method: string, listener: (params: Record<string, unknown>) => void): void
}

const FLAGS = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--mute-audio',
]

interface Answer {
  id?: number
  sessionId?: string
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { message: string }
}

export async function launch(path: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'deploy-smoke-'))
  // Chromium's sandbox does not run as root, as in most build containers; the pages it opens here are our own.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(path, [...FLAGS, ...sandbox, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  // Descriptors 3 and 4 were asked for as pipes above.
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable]
  const { send, listen } = connect(input, output)
  void ended.then(() => send.fail('The browser ended'))

  return {
    async open() {
      const { targetId } = await send.call('Target.createTarget', { url: 'about:blank' })
      const { sessionId } = await send.call('Target.attachToTarget', { targetId, flatten: true })
      const session = String(sessionId)
      return {
        call: (method, params) => send.call(method, params, session),
        on: (method, listener) => listen(session, method, listener),
      }
    },
    async close() {
      await send.call('Browser.close').catch(() => undefined)
      const kill = setTimeout(() => child.kill('SIGKILL'), 2000)
      await ended
      clearTimeout(kill)
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Messages are JSON texts, each ended by a zero byte. */
function connect(input: Writable, output: Readable) {
  const waiting = new Map<
    number,
    { resolve(result: Record<string, unknown>): void; reject(error: Error): void }
  >()
  const listeners: {
    session: string
    method: string
    listener: (params: Record<string, unknown>) => void
  }[] = []
  let last = 0
  let dead: string | null = null
  let rest = ''

  output.setEncoding('utf8')
  output.on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0')
    rest = messages.pop() ?? ''
    // What Chromium sends has the shape of its protocol.
    for (const message of messages) take(JSON.parse(message) as Answer)
  })
  const take = ({ id, sessionId, method, params = {}, result = {}, error }: Answer): void => {
    if (id !== undefined) {
      const call = waiting.get(id)
      waiting.delete(id)
      if (error) call?.reject(new Error(error.message))
      else call?.resolve(result)
    }
    for (const { session, method: wanted, listener } of listeners)
      if (session === sessionId && wanted === method) listener(params)
  }
  const fail = (reason: string): void => {
    dead = reason
    for (const { reject } of waiting.values()) reject(new Error(reason))
    waiting.clear()
  }
  input.on('error', () => fail('The browser ended'))

  return {
    send: {
      fail,
      call: (method: string, params: object = {}, sessionId?: string): Promise<Record<string, unknown>> =>
        new Promise((resolve, reject) => {
          if (dead) return reject(new Error(dead))
          last += 1
          waiting.set(last, { resolve, reject })
          input.write(
            `${JSON.stringify({ id: last, method, params, ...(sessionId ? { sessionId } : {}) })}\0`,
          )
        }),
    },
    listen: (session: string, method: string, listener: (params: Record<string, unknown>) => void) => {
      listeners.push({ session, method, listener })
    },
  }
}
