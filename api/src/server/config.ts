import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { z } from 'zod'
import { StartupError } from '../startup-error.ts'

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

const settings = z.object({
  port: wholeNumber(0, 65_535).default(3000),
  host: z.string().default('0.0.0.0'),
  dataDir: z.string().default('.data'),
  /** Unset: a Postgres of our own in `dataDir`. */
  databaseUrl: databaseUrl.optional(),
  eventNow: eventTime.transform((text) => new Date(text)).optional(),
  demo: flag.default(false),
  backofficeKey: serviceKeys.default([]),
  /** Unset: generated, and kept in `dataDir`. */
  loginPepper: z
    .string()
    .trim()
    .min(SHORTEST_PEPPER, `must have at least ${SHORTEST_PEPPER} characters`)
    .optional(),
  site: publicConfigSchema.shape.site,
  shareHost: publicConfigSchema.shape.shareHost,
  sessionHours: wholeNumber(1, 24 * 366).default(24 * 7),
  trustProxy: wholeNumber(0, 10).default(0),
  logLevel: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export type ApiConfig = Readonly<z.infer<typeof settings>>

/** `dataDir` → `DATA_DIR`; a variable's name stays. */
export const variableOf = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toUpperCase()

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
  const given = settings.keyof().options.map((name) => [name, env[variableOf(name)]] as const)
  const parsed = settings.safeParse(Object.fromEntries(given.filter(([, value]) => value?.trim())))
  if (parsed.success) return parsed.data
  throw new ConfigError(
    parsed.error.issues.map(({ path, message }) => `${variableOf(path.join('.'))} ${message}`),
  )
}
