import { readFileSync } from 'node:fs'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { errorMessage } from '@anniversary/shared/error-message'
import { misspeltVariables } from '@anniversary/shared/misspelt-variables'
import { z } from 'zod'
import { StartupError } from '../startup-error.ts'
import { deskAccess } from './desk-access.ts'
import { eventTime } from './event-time.ts'

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be between ${min} and ${max}`)

export const portNumber = wholeNumber(0, 65_535)

const flag = z.stringbool({ truthy: ['1', 'true'], falsy: ['0', 'false'], error: 'must be 0 or 1' })

/** One key, or two while it is being replaced. */
const serviceKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .refine(
    (keys) => keys.length <= 2 && keys.every((key) => key !== ''),
    'must be one key, or two separated by a comma',
  )

/**
 * Of several hosts the driver takes the first, even when another is the
 * primary.
 */
function isUrlOfOneServer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { host, search, hash } = new URL(text)
  if (/,|target_session_attrs/.test(host + search)) return false
  // Signs of a password that end it too early.
  return hash === '' && text.split('@').length <= 2
}

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
  .refine(
    isUrlOfOneServer,
    'must be a URL of one server, without target_session_attrs: give an address that follows the primary, such as HAProxy’s; in a password, write # as %23, / as %2F, ? as %3F, @ as %40',
  )

const SHORTEST_PEPPER = 16

const settings = z.object({
  nodeEnv: z
    .enum(['production', 'development', 'test'], 'must be production, development or test')
    .default('development'),
  port: portNumber.default(3000),
  host: z.string().default('127.0.0.1'),
  /** Folder of the demo's Postgres. */
  dataDir: z.string().default('.data'),
  /** Unset: the demo's Postgres. Required in production. */
  databaseUrl: databaseUrl.optional(),
  eventNow: eventTime.transform((text) => new Date(text)).optional(),
  demo: flag.default(false),
  backofficeKey: serviceKeys.default([]),
  /** Reads reports and metrics. Unset: nobody can. */
  reportsKey: serviceKeys.default([]),
  /** Who may use the support desk. Unset: there is none. */
  deskAccess: deskAccess.default([]),
  deskPort: portNumber.default(3200),
  /**
   * Reports of versions that this site never had are rejected. Unset: none are.
   */
  reportsSite: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://event.example/' })
    .optional(),
  loginPepper: z
    .string()
    .min(SHORTEST_PEPPER, `must have at least ${SHORTEST_PEPPER} characters`)
    .regex(/^[^\p{Cc}\uFFFD]*$/u, 'must be one line of text')
    .optional(),
  site: publicConfigSchema.shape.site,
  shareHost: publicConfigSchema.shape.shareHost,
  sessionHours: wholeNumber(1, 24 * 366).default(24 * 7),
  /**
   * A stopping server fails its health check but still answers: two intervals
   * of that check.
   */
  drainSeconds: wholeNumber(0, 300).default(0),
  trustProxy: wholeNumber(0, 10).default(0),
  logLevel: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export type ApiConfig = Readonly<z.infer<typeof settings>>

export const variableNameOf = (name: string) =>
  name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toUpperCase()

export const variableNames: readonly string[] = settings.keyof().options.map(variableNameOf)

export class ConfigError extends StartupError {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.map((problem) => `configuration: ${problem}`).join('\n'))
    this.problems = problems
  }
}

/**
 * May be read from the file in `NAME_FILE`, as systemd's LoadCredential= and
 * containers provide secrets.
 */
const SECRETS: readonly string[] = [
  'databaseUrl',
  'loginPepper',
  'backofficeKey',
  'reportsKey',
  'deskAccess',
] satisfies Name[]

type Name = keyof ApiConfig
type Environment = Readonly<Record<string, string | undefined>>

/** @throws ConfigError */
function textOf(name: string, env: Environment): string | undefined {
  const variable = variableNameOf(name)
  const value = env[variable]?.trim() || undefined
  if (!SECRETS.includes(name)) return value
  const file = env[`${variable}_FILE`]?.trim()
  if (!file) return value
  if (value) throw new ConfigError([`${variable} and ${variable}_FILE are both set`])
  try {
    const text = readFileSync(file, 'utf8').trim()
    // Entries of the desk's file are removed one by one.
    if (text || name === 'deskAccess') return text
  } catch (error) {
    throw new ConfigError([`${variable}_FILE cannot be read: ${errorMessage(error)}`])
  }
  throw new ConfigError([`${variable}_FILE is empty: ${file}`])
}

/**
 * An empty variable counts as unset. In production DATABASE_URL is required and
 * DEMO refused.
 * @param required settings without a default that the caller needs
 * @param others names of variables that the caller reads itself
 * @throws ConfigError with every problem
 */
export function readConfiguration(
  env: Environment,
  required: readonly Name[] = [],
  others: readonly string[] = [],
): ApiConfig {
  const isProduction = textOf('nodeEnv', env) === 'production'
  const needed = new Set<string>(required)
  if (isProduction) needed.add('databaseUrl')
  const files = SECRETS.map((name) => `${variableNameOf(name)}_FILE`)
  const problems = misspeltVariables(env, [...variableNames, ...files, ...others])
  const given: Record<string, string> = {}
  for (const name of settings.keyof().options) {
    try {
      const text = textOf(name, env)
      if (text !== undefined) given[name] = text
      else if (needed.has(name))
        problems.push(`${variableNameOf(name)} or ${variableNameOf(name)}_FILE is required`)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems.push(...error.problems)
    }
  }
  const parsed = settings.safeParse(given)
  if (parsed.data?.reportsKey.some((key) => parsed.data.backofficeKey.includes(key)))
    problems.push('REPORTS_KEY must differ from BACKOFFICE_KEY')
  if (parsed.data?.demo && isProduction)
    problems.push('DEMO adds members whose digits everybody knows: remove it in production')
  for (const { path, message } of parsed.error?.issues ?? [])
    problems.push(`${variableNameOf(path.join('.'))} ${message}`)
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  return parsed.data
}
