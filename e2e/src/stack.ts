import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import '@anniversary/build/clean-environment'
import { startProcess } from './process.ts'

export const ROOT = resolve(import.meta.dirname, '../..')
const BACKOFFICE_KEY = 'e2e-back-office'
export const REPORTS_KEY = 'e2e-reports-key-'.padEnd(40, '0')

export const CONTROL_TOKEN = 'e2e-token-for-all'

export type Stack = Awaited<ReturnType<typeof spawnStack>>

/**
 * Returns a folder with a copy of the site and database of the global set-up.
 */
export async function copyTemplate(): Promise<string> {
  const template = process.env.E2E_TEMPLATE
  if (!template) throw new Error('E2E_TEMPLATE is set by the global set-up')
  const own = await mkdtemp(join(tmpdir(), 'anniversary-e2e-'))
  await cp(template, own, { recursive: true })
  return own
}

/**
 * Starts a stack on a copy of the template, the site and database of the global
 * set-up. `stop` removes the copy.
 */
export async function startStack(env: Record<string, string> = {}): Promise<Stack> {
  const own = await copyTemplate()
  const stack = await spawnStack(join(own, 'data'), join(own, 'site'), {
    LOG_LEVEL: 'trace',
    ...env,
  })
  return {
    ...stack,
    async stop() {
      const code = await stack.stop()
      await rm(own, { recursive: true, force: true })
      return code
    },
  }
}

/**
 * Starts the product as `npm start` does: site, API and database, in a process
 * of its own.
 */
export async function spawnStack(
  dataDir: string,
  siteDir: string,
  env: Record<string, string>,
  checkout = ROOT,
) {
  const access = `${siteDir}.access.json`
  const hash = createHash('sha256').update(CONTROL_TOKEN).digest('hex')
  await writeFile(access, JSON.stringify([{ name: 'on call', hash, packages: ['*'] }]))
  // An older checkout may start from another file.
  const { scripts } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'))
  const { ready, ...server } = await startProcess(['sh', '-c', scripts.start], {
    cwd: checkout,
    env: {
      NODE_ENV: 'development',
      npm_lifecycle_event: '',
      PORT: '0',
      DATA_DIR: dataDir,
      SITE_DIR: siteDir,
      BACKOFFICE_KEY,
      REPORTS_KEY,
      DEPLOY_ACCESS: access,
      CONTROL_PORT: '0',
      DESK_ACCESS: `e2e:${createHash('sha256').update(CONTROL_TOKEN).digest('hex')}`,
      DESK_PORT: '0',
      // Pages report when they are idle, so some tests would get reports and
      // others not.
      REPORT_SAMPLE: '0',
      ...env,
    },
    ready:
      /Ready on (http:\/\/\S+)(?:[\s\S]*?Control page: (\S+))?(?:[\s\S]*?Support desk: (\S+))?[\s\S]*?Stop with/,
  })
  // Where the hosts file has no `::1`, Node asks a DNS server for `localhost`.
  const [url = '', controlUrl = '', deskUrl = ''] = ready.map((printed: string | undefined) =>
    printed?.replace('localhost', '127.0.0.1'),
  )
  return {
    ...server,
    url,
    controlUrl,
    deskUrl,
    siteDir,
    dataDir,
  }
}

/**
 * Runs the operator's command line on a stack's data. Throws with its output
 * when it fails.
 * @returns what the command has printed
 */
export function operatorCommand(dataDir: string, ...command: string[]): string {
  return execFileSync('node', ['api/dist/event.mjs', ...command], {
    cwd: ROOT,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      LOGIN_PEPPER_FILE: join(dataDir, 'login-pepper'),
    },
    stdio: 'pipe',
    encoding: 'utf8',
  })
}

/** Calls the back-office API; repeats while the stack answers 503. */
export async function backOffice(stackUrl: string, path: string, body: object): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { status } = await fetch(`${stackUrl}/api/users/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${BACKOFFICE_KEY}` },
      body: JSON.stringify(body),
    })
    if (status === 200) return
    if (status !== 503 || attempt === 10)
      throw new Error(`The back office's ${path} was answered ${status}`)
    await new Promise((later) => setTimeout(later, 1000))
  }
}
