import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError, portNumber, readConfiguration, variableNameOf } from '@anniversary/api/config'
import { hashDeskToken } from '@anniversary/api/server/desk-access'
import { DEMO_PEPPER } from '@anniversary/api/server/pepper'
import { StartError } from '@anniversary/build/dev/port'
import { DEPLOY_VARIABLES } from '@anniversary/deploy/cli/program'
import demoEvent from '@anniversary/shared/campaign/demo.json' with { type: 'json' }
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { errorCode } from '@anniversary/shared/error-code'

export type StartEnvironment = ReturnType<typeof readEnvironment>

/** Makes a secret of the demo at its first start. Returns its file. */
function demoSecret(dataDir: string, name: string): string {
  const file = join(dataDir, name)
  if (existsSync(file)) return file
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  // Linked when it is whole: a full disk must leave no empty secret.
  const aside = `${file}.${process.pid}`
  try {
    writeFileSync(aside, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
    linkSync(aside, file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
  return file
}

/** Returns the desk's token, unless `env` names who may use the desk. */
function addDemoSecrets(env: NodeJS.ProcessEnv, dataDir: string): string | undefined {
  if (!env.LOGIN_PEPPER) env.LOGIN_PEPPER_FILE ??= demoSecret(dataDir, DEMO_PEPPER)
  if (!env.REPORTS_KEY) env.REPORTS_KEY_FILE ??= demoSecret(dataDir, 'reports-key')
  if (env.DESK_ACCESS) return undefined
  const deskToken = readFileSync(demoSecret(dataDir, 'desk-token'), 'utf8').trim()
  env.DESK_ACCESS = `demo:${hashDeskToken(deskToken)}`
  return deskToken
}

/**
 * Reads the variables of `npm start`; an empty one counts as unset.
 * @throws StartError that names every problem
 */
export function readEnvironment(env: NodeJS.ProcessEnv, root: string) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const { SITE_DIR = 'site', DATA_DIR = '.data', DEPLOY_ACCESS, CONTROL_PORT = '3100' } = given
  const configured = publicConfigSchema.keyof().options.flatMap((name) => {
    const value = given[variableNameOf(name)]
    return value === undefined ? [] : [[name, value]]
  })
  // The API on the same port answers the calls and counts the reported
  // failures.
  const config = publicConfigSchema.safeParse({
    reportUrl: '/api/reports',
    ...Object.fromEntries(configured),
    apiBase: '/api',
  })
  const demo = given.NODE_ENV !== 'production'
  const dataDir = resolve(root, DATA_DIR)
  /** Variables of the API, with `PORT` and `HOST`. */
  const apiEnv: NodeJS.ProcessEnv = {
    ...(demo ? { DEMO: '1', EVENT_NOW: demoEvent.now, LOG_LEVEL: 'warn', DESK_PORT: '0' } : {}),
    HOST: '127.0.0.1',
    ...given,
    DATA_DIR: dataDir,
  }
  const deskToken = demo ? addDemoSecrets(apiEnv, dataDir) : undefined
  const api = readApiConfig(apiEnv)
  const controlPort = portNumber.safeParse(CONTROL_PORT)
  if (!config.success || !api.config || !controlPort.success) {
    const problems = new Set<string>()
    for (const { message } of controlPort.error?.issues ?? [])
      problems.add(`CONTROL_PORT ${message}`)
    for (const { path, message } of config.error?.issues ?? [])
      problems.add(`${variableNameOf(path.join('.'))} ${message}`)
    for (const problem of api.problems) problems.add(problem)
    throw new StartError(`Bad configuration: ${[...problems].join('; ')}`)
  }
  return {
    siteDir: resolve(root, SITE_DIR),
    dataDir,
    demo,
    /** Access file of the deploy server. Unset: no deploy server. */
    access: DEPLOY_ACCESS && resolve(root, DEPLOY_ACCESS),
    controlPort: controlPort.data,
    /** The demo's own token of the support desk. */
    deskToken,
    config: config.data,
    apiEnv,
    apiConfig: api.config,
  }
}

export const OWN_VARIABLES = [
  ...publicConfigSchema.keyof().options.map(variableNameOf),
  ...DEPLOY_VARIABLES,
  'SITE_DIR',
  'CONTROL_PORT',
]

function readApiConfig(env: NodeJS.ProcessEnv) {
  try {
    return { config: readConfiguration(env, ['loginPepper'], OWN_VARIABLES), problems: [] }
  } catch (error) {
    if (error instanceof ConfigError) return { problems: error.problems }
    throw error
  }
}

/** Where this machine reaches what listens there, as in a URL. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

export const HELP = `npm start: builds what changed, publishes it, and serves site and API on one port.

Variables (all optional):
  PORT            port (3000; 0: any free one)
  HOST            address to listen on (127.0.0.1; 0.0.0.0 lets phones of your network in)
  DATA_DIR        the demo's database and secrets (.data)
  SITE_DIR        the published site (site)
  DATABASE_URL    a Postgres to use instead of one in DATA_DIR; required in production
  LOGIN_PEPPER    secret of the members' bank digits, or LOGIN_PEPPER_FILE; required in production
  EVENT_NOW       ISO time at which the event clock starts (demo: ${demoEvent.now})
  DEPLOY_ACCESS   file of those who may deploy (deploy token): serves /control and deploy --to on a port of its own
  CONTROL_PORT    that port (3100; 0: any free one)
  DESK_ACCESS     who may use the support desk (npm run event -- desk-token); the demo makes a token
  DESK_PORT       its port (3200, in the demo any free one)
  BACKOFFICE_KEY  service key of the back-office calls
  REPORTS_KEY     key that reads reports and /metrics, or REPORTS_KEY_FILE (demo: one in DATA_DIR)
  NODE_ENV        production: no demo members, real time (development, test: the demo)
  SITE, SHARE_HOST, EVENT_URL, REGISTER_URL, MEGALIVE_URL, LIVE_URL, SUPPORT_URL, REPORT_URL,
  REPORT_SAMPLE
                  the site's public configuration (docs/reference/deploy.md)

Stop with Ctrl-C.`
