import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
export const PEPPER = 'the-pepper-of-the-proofs'

export interface ApiProcess {
  readonly origin: string
  /** kill -9. */
  crash(): Promise<void>
  /** SIGTERM. */
  stop(): Promise<void>
}

/** Starts a server in a process of its own, which ends with this one, and waits until it listens. */
export async function startApi(env: Record<string, string>): Promise<ApiProcess> {
  const child = fork(main, {
    execArgv: ['--import', 'tsx'],
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      HOST: '127.0.0.1',
      EVENT_NOW: '2025-08-20T20:00:00+07:00',
      LOGIN_PEPPER: PEPPER,
      LOG_LEVEL: 'error',
      ...env,
    },
  })
  const exited = once(child, 'exit')
  const failed = exited.then(() => {
    throw new Error('the server ended at its start')
  })
  const [origin] = await Promise.race([once(child, 'message'), failed])
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited
  }
  return { origin: String(origin), crash: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}
