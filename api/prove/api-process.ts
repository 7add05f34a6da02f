import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Made by `npm run build -w api`, and by Jest. */
export const ARTIFACT = fileURLToPath(new URL('../dist/api.mjs', import.meta.url))
const ROOT = new URL('../../', import.meta.url)
export const EVENT_NOW = '2025-08-20T20:00:00+07:00'
export const PEPPER = 'the-pepper-of-the-proofs'

export interface ApiProcess {
  readonly origin: string
  readonly child: ChildProcess
  /** By SIGKILL. */
  crash(): Promise<void>
  /** By SIGTERM. */
  stop(): Promise<void>
}

/**
 * Waits until the server listens. It ends with this process.
 * @param file the `api.mjs` of another build
 */
export async function startApi(
  env: Record<string, string>,
  { file = ARTIFACT, node = process.execPath } = {},
): Promise<ApiProcess> {
  // The log of production is long: its file ends with the process.
  const log = env.LOG_LEVEL === 'info' ? openNamelessFile() : 'inherit'
  const child = fork(file, {
    stdio: ['ignore', log, 'inherit', 'ipc'],
    execPath: node,
    execArgv: nodeFlagsOfUnit(),
    cwd: dirname(file),
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      EVENT_NOW,
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
  return { origin: String(origin), child, crash: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

/** Without them, the API would get the flags of this process. */
function nodeFlagsOfUnit(): string[] {
  const unit = readFileSync(new URL('packaging/systemd/event-api@.service', ROOT), 'utf8')
  const flags = /^ExecStart=\S+ (--.*) /m.exec(unit)?.[1]
  if (!flags) throw new Error('the unit of the API names no flags of Node')
  return flags.split(' ')
}

function openNamelessFile(): number {
  const file = join(mkdtempSync(join(tmpdir(), 'anniversary-log-')), 'log')
  const opened = openSync(file, 'a')
  rmSync(dirname(file), { recursive: true })
  return opened
}

/** Stops those that the list has at the end of their scope. */
export async function startApis(env: Record<string, string>) {
  const apis = await Promise.all([startApi(env), startApi(env)])
  const stop = async () => {
    await Promise.all(apis.map((api) => api.stop()))
  }
  return Object.assign(apis as ApiProcess[], { [Symbol.asyncDispose]: stop }) // no pair, since they are replaced
}
