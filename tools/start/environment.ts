import { resolve } from 'node:path'
import { ConfigError, readConfig } from '@anniversary/api/config'
import { StartError } from '@anniversary/build/dev/port'
import demoEvent from '@anniversary/shared/campaign/demo.json' with { type: 'json' }
import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import { z } from 'zod'

const environment = z.object({
  SITE_DIR: z.string().default('site'),
  DATA_DIR: z.string().default('.data'),
  NODE_ENV: z.string().default('development'),
  DEPLOY_ACCESS: z.string().optional(),
})

export interface StartEnvironment {
  readonly siteDir: string
  readonly dataDir: string
  readonly demo: boolean
  /** File of those who may deploy. Absent: no deploy server. */
  readonly access?: string | undefined
  readonly config: PublicConfig
  /** For the API, which reads its own variables, and `PORT` and `HOST`. */
  readonly apiEnv: Readonly<Record<string, string | undefined>>
  readonly apiConfig: ReturnType<typeof readConfig>
}

/** `reportUrl` → `REPORT_URL`. */
const variableOf = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toUpperCase()

/** An empty variable counts as unset. @throws StartError that names every problem */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): StartEnvironment {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const parsed = environment.safeParse(given)
  const read = parsed.data ?? environment.parse({})
  const configured = publicConfigSchema.keyof().options.flatMap((name) => {
    const value = given[variableOf(name)]
    return value === undefined ? [] : [[name, value]]
  })
  // The API on the same port serves the calls, and counts the failures that pages report.
  const config = publicConfigSchema.safeParse({
    reportUrl: '/api/reports',
    ...Object.fromEntries(configured),
    apiBase: '/api',
  })
  const demo = read.NODE_ENV !== 'production'
  const dataDir = resolve(root, read.DATA_DIR)
  const apiEnv = {
    ...(demo ? { DEMO: '1', EVENT_NOW: demoEvent.now, LOG_LEVEL: 'warn' } : {}),
    HOST: '127.0.0.1',
    ...given,
    DATA_DIR: dataDir,
  }
  const api = readApiConfig(apiEnv)
  if (!config.success || !parsed.success || !api.config) {
    const issues = [...(parsed.error?.issues ?? []), ...(config.error?.issues ?? [])]
    const own = issues.map(({ path, message }) => `${variableOf(path.join('.'))} ${message}`)
    throw new StartError(`Bad configuration: ${[...own, ...api.problems].join('; ')}`)
  }
  return {
    siteDir: resolve(root, read.SITE_DIR),
    dataDir,
    demo,
    access: read.DEPLOY_ACCESS && resolve(root, read.DEPLOY_ACCESS),
    config: config.data,
    apiEnv,
    apiConfig: api.config,
  }
}

function readApiConfig(env: StartEnvironment['apiEnv']) {
  try {
    return { config: readConfig(env), problems: [] }
  } catch (error) {
    if (error instanceof ConfigError) return { problems: error.problems }
    throw error
  }
}

export const HELP = `npm start: builds what changed, publishes it, and serves site and API on one port.

Variables (all optional):
  PORT            port (3000; 0: any free one)
  HOST            address to listen on (127.0.0.1; 0.0.0.0 lets phones of your network in)
  DATA_DIR        the database and generated secrets (.data)
  SITE_DIR        the published site (site)
  DATABASE_URL    a Postgres to use instead of one of its own
  EVENT_NOW       ISO time at which the event clock starts (demo: ${demoEvent.now})
  DEPLOY_ACCESS   file of those who may deploy (deploy token): opens /control, and takes deploy --to
  BACKOFFICE_KEY  service key of the back-office calls
  NODE_ENV        production: no demo members, real time
  SITE, SHARE_HOST, EVENT_URL, REGISTER_URL, MEGALIVE_URL, SUPPORT_URL, REPORT_URL, REPORT_SAMPLE
                  the site's public configuration (docs/guides/deploy.md)

Stop with Ctrl-C.`
