import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { z } from 'zod'
import { StartupError } from '../startup-error.ts'

const publicDefaults = publicConfigSchema.parse({})

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be between ${min} and ${max}`)

const flag = z.stringbool({ truthy: ['1', 'true'], falsy: ['0', 'false'], error: 'must be 0 or 1' })

const TIME = 'must be a time such as 2025-08-11T09:30:00+07:00'

/** ISO 8601; `2025-08-11 09:30` and `2025-08-11T09:30:00` are times of the event's own zone, +07:00. */
export const eventTime = z
  .string(TIME)
  .transform((text) =>
    text
      .trim()
      .replace(
        /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/,
        (_, day, minute, second = ':00') => `${day}T${minute}${second}+07:00`,
      ),
  )
  .pipe(z.iso.datetime({ offset: true, error: TIME }))

/** One key, or two while it is being replaced. */
const serviceKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .refine(
    (keys) => keys.length <= 2 && keys.every((key) => key !== ''),
    'must be one key, or two separated by a comma',
  )

/** Of several hosts the driver would take the first, whichever server is the primary. */
const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
  .refine(
    (text) => URL.canParse(text) && !/,|target_session_attrs/.test(new URL(text).host + new URL(text).search),
    'must be a URL of one server, without target_session_attrs: give an address that follows the primary, such as HAProxy’s; in a password, write # as %23, / as %2F, ? as %3F, @ as %40',
  )

export const SHORTEST_PEPPER = 16

const environment = z
  .object({
    PORT: wholeNumber(0, 65_535).default(3000),
    HOST: z.string().default('0.0.0.0'),
    DATA_DIR: z.string().default('.data'),
    DATABASE_URL: databaseUrl.optional(),
    EVENT_NOW: eventTime.transform((text) => new Date(text)).optional(),
    DEMO: flag.default(false),
    BACKOFFICE_KEY: serviceKeys.default([]),
    LOGIN_PEPPER: z
      .string()
      .trim()
      .min(SHORTEST_PEPPER, `must have at least ${SHORTEST_PEPPER} characters`)
      .optional(),
    SITE: z.string().default(publicDefaults.site),
    SHARE_HOST: z.string().default(publicDefaults.shareHost),
    SESSION_HOURS: wholeNumber(1, 24 * 366).default(24 * 7),
    TRUST_PROXY: wholeNumber(0, 10).default(0),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  })
  .transform((e) => ({
    port: e.PORT,
    host: e.HOST,
    dataDir: e.DATA_DIR,
    /** Unset: a Postgres of our own in `dataDir`. */
    databaseUrl: e.DATABASE_URL,
    eventNow: e.EVENT_NOW,
    demo: e.DEMO,
    backofficeKeys: e.BACKOFFICE_KEY,
    /** Unset: generated, and kept in `dataDir`. */
    loginPepper: e.LOGIN_PEPPER,
    site: e.SITE,
    shareHost: e.SHARE_HOST,
    sessionHours: e.SESSION_HOURS,
    trustProxy: e.TRUST_PROXY,
    logLevel: e.LOG_LEVEL,
  }))

export type ApiConfig = Readonly<z.infer<typeof environment>>

export class ConfigError extends StartupError {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.map((problem) => `configuration: ${problem}`).join('\n'))
    this.problems = problems
  }
}

/** Reads the API's variables; an empty one counts as unset. @throws ConfigError with every problem */
export function readConfig(env: Record<string, string | undefined>): ApiConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const parsed = environment.safeParse(given)
  if (parsed.success) return parsed.data
  throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`))
}
