import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
export const SERVICE_KEY = 'the-service-key-of-the-proofs'
export const PEPPER = 'the-pepper-of-the-proofs'

/** Longer than a busy machine takes, and than a cluster whose primary just died. */
const START_MS = 60_000

export interface ApiProcess {
  readonly origin: string
  isAlive(): boolean
  /** What it wrote, at most the last 64 kB. */
  log(): string
  /** kill -9. */
  crash(): Promise<void>
  /** SIGTERM. */
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // listening on a port, not a pipe
  await once(server.close(), 'close')
  return port
}

/**
 * Starts a server in a process of its own, as an operator does, and waits until it is ready.
 * @throws Error with its output when it ends before
 */
export async function startApi(env: Record<string, string>): Promise<ApiProcess> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['--import', 'tsx', main], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      HOST: '127.0.0.1',
      EVENT_NOW: '2025-08-20T20:00:00+07:00',
      BACKOFFICE_KEY: SERVICE_KEY,
      LOGIN_PEPPER: PEPPER,
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // No server outlives the proof.
  const killChild = () => child.kill('SIGKILL')
  process.once('exit', killChild)
  const exited = once(child, 'exit').finally(() => process.removeListener('exit', killChild))
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-65_536)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const isAlive = () => child.exitCode === null && child.signalCode === null
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited
  }
  for (const giveUpAt = performance.now() + START_MS; ; ) {
    // Another process took the port meanwhile.
    if (!isAlive() && output.includes('EADDRINUSE')) return startApi(env)
    if (!isAlive()) throw new Error(`the server ended at its start: ${output}`)
    if (performance.now() > giveUpAt) {
      child.kill('SIGKILL')
      throw new Error(`the server was not ready after ${START_MS} ms: ${output}`)
    }
    const ready = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(2000) }).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) break
    await sleep(50)
  }
  return {
    origin,
    isAlive,
    log: () => output,
    crash: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}
