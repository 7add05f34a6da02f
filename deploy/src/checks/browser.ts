import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'

/**
 * A headless Chromium, driven through a pipe by its own protocol (chromedevtools.github.io/devtools-protocol). By hand
 * because a driver library makes each publish 0.4 s slower: playwright-core (14 MB) or puppeteer-core (33 MB, its
 * current major needs Node 22).
 */
export interface Browser {
  open(): Promise<Tab>
  close(): Promise<void>
}

export interface Tab {
  /** @throws the browser's error */
  call(method: string, params?: object): Promise<Params>
  on(method: string, listener: (params: Params) => void): void
}

type Params = Record<string, unknown>

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

/** @param path of the browser's program */
export async function launch(path: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'deploy-smoke-'))
  // Chromium refuses to run as root with its sandbox, as in most build containers. The pages here are our own.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(path, [...FLAGS, ...sandbox, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  // Both are the pipes asked for above.
  const connection = connect(child.stdio[3] as Writable, child.stdio[4] as Readable)
  void ended.then(connection.end)
  return {
    async open() {
      const { targetId } = await connection.call('Target.createTarget', { url: 'about:blank' })
      const attached = await connection.call('Target.attachToTarget', { targetId, flatten: true })
      const session = String(attached.sessionId)
      return {
        call: (method, params) => connection.call(method, params, session),
        on: (method, listener) => connection.on(method, listener, session),
      }
    },
    async close() {
      await connection.call('Browser.close').catch(() => undefined)
      const kill = setTimeout(() => child.kill('SIGKILL'), 2000)
      await ended
      clearTimeout(kill)
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The answer to a call, which has its id, or an event. */
const messageSchema = z.object({
  id: z.number().optional(),
  sessionId: z.string().optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).default({}),
  result: z.record(z.string(), z.unknown()).default({}),
  error: z.object({ message: z.string() }).optional(),
})
type Message = z.infer<typeof messageSchema>

function connect(input: Writable, output: Readable) {
  // Answers by id, events by session and method.
  const messages = new EventEmitter().setMaxListeners(0)
  let last = 0
  let ended = false
  let rest = ''

  output.setEncoding('utf8')
  output.on('data', (chunk: string) => {
    // Each message is JSON, and a zero byte ends it.
    const texts = (rest + chunk).split('\0')
    rest = texts.pop() ?? ''
    for (const text of texts) {
      const message = messageSchema.parse(JSON.parse(text))
      const { id, sessionId, method } = message
      messages.emit(id === undefined ? `${sessionId} ${method}` : String(id), message)
    }
  })
  function end(): void {
    ended = true
    // Rejects all pending calls: `once` rejects on an error.
    if (messages.listenerCount('error') > 0) messages.emit('error', new Error('The browser ended'))
  }
  input.on('error', end)

  return {
    end,
    async call(method: string, params: object = {}, sessionId?: string): Promise<Params> {
      if (ended) throw new Error('The browser ended')
      last += 1
      input.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`)
      // What `output` emits above.
      const [{ error, result }] = (await once(messages, String(last))) as [Message]
      if (error) throw new Error(error.message)
      return result
    },
    on(method: string, listener: (params: Params) => void, sessionId: string): void {
      messages.on(`${sessionId} ${method}`, ({ params }: Message) => listener(params))
    },
  }
}
