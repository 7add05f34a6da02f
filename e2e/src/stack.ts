import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')
const READY = /Ready on (http:\/\/\S+)/
/** A first start builds five packages. */
const READY_WITHIN_MS = 180_000
/** The back office's key of every stack. */
const BACKOFFICE_KEY = 'e2e-back-office'

/** The product as `npm start` runs it: site, API and database, in a process of its own. */
export interface Stack {
  readonly url: string
  readonly siteDir: string
  /** All output of the process. */
  output(): string
  /** Ends it as Ctrl-C does. Resolves with the exit code. */
  stop(): Promise<number | null>
  /** Ends it as a power cut does. */
  kill(): Promise<void>
}

/** A stack with folders of its own, which `stop` removes. */
export interface OwnStack extends Stack {
  /** Kills the process and starts it again, at the same address and on the same data. */
  restart(): Promise<void>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** A stack on a copy of the template, the built site and database that the global set-up has made. */
export async function startStack(env: Record<string, string> = {}): Promise<OwnStack> {
  const template = process.env.E2E_TEMPLATE
  if (!template) throw new Error('E2E_TEMPLATE is set by the global set-up')
  const own = await mkdtemp(join(tmpdir(), 'anniversary-e2e-'))
  await cp(template, own, { recursive: true })
  const start = (more = {}) => spawnStack(join(own, 'data'), join(own, 'site'), { ...env, ...more })
  let stack = await start()
  return {
    ...stack,
    output: () => stack.output(),
    kill: () => stack.kill(),
    async restart() {
      await stack.kill()
      stack = await start({ PORT: new URL(stack.url).port })
    },
    async stop() {
      const code = await stack.stop()
      await rm(own, { recursive: true, force: true })
      return code
    },
  }
}

/** Starts the process on these folders. */
export async function spawnStack(
  dataDir: string,
  siteDir: string,
  env: Record<string, string>,
  checkout = ROOT,
): Promise<Stack> {
  // An older checkout may start from another file.
  const { scripts } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'))
  const child = spawn('sh', ['-c', scripts.start], {
    cwd: checkout,
    env: {
      ...process.env,
      NODE_ENV: 'development',
      npm_lifecycle_event: '',
      PORT: '0',
      DATA_DIR: dataDir,
      SITE_DIR: siteDir,
      DATABASE_URL: '',
      BACKOFFICE_KEY,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  const ended = new Promise<number | null>((done) => {
    child.on('exit', (code) => {
      running.delete(child)
      done(code)
    })
  })
  const url = await new Promise<string>((ready, failed) => {
    const timer = setTimeout(() => failed(new Error(`Not ready in time:\n${output}`)), READY_WITHIN_MS)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const found = READY.exec(output)?.[1]
      if (!found) return
      clearTimeout(timer)
      ready(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then((code) => {
      clearTimeout(timer)
      failed(new Error(`Ended with code ${code} before it was ready:\n${output}`))
    })
  })
  return {
    url,
    siteDir,
    output: () => output,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** A call of the back office; repeated while the stack answers 503. */
export async function backOffice(stackUrl: string, path: string, body: object): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { status } = await fetch(`${stackUrl}/api/users/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${BACKOFFICE_KEY}` },
      body: JSON.stringify(body),
    })
    if (status === 200) return
    if (status !== 503 || attempt === 10) throw new Error(`The back office's ${path} was answered ${status}`)
    await new Promise((later) => setTimeout(later, 1000))
  }
}
