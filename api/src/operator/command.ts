import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { errorMessage } from '@anniversary/shared/error-message'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { textField } from '../backoffice/contract.ts'
import type { Database } from '../database/database.ts'
import { clusterFolder } from '../database/managed/server.ts'
import { checkSchema } from '../database/migrate.ts'
import { openDatabase } from '../database/open.ts'
import { type ApiConfig, readConfiguration } from '../server/config.ts'
import { eventClock, serverTime } from '../server/event-clock.ts'
import { DEMO_PEPPER } from '../server/pepper.ts'
import { recordChange } from './audit.ts'

/**
 * npm runs scripts in the project's root, and keeps the folder of the typed
 * command.
 */
export const fromHere = (path: string) => resolve(process.env.INIT_CWD ?? process.cwd(), path)

export interface Operator {
  /** OPERATOR, else the machine's user. */
  readonly name: string
  readonly config: ApiConfig
  readonly database: Database
  readonly now: () => Date
}

/** Recounts and exports may take long. */
const TIMEOUTS = { statementMs: 3_600_000, lockMs: 60_000 }

const auditText = textField(500)

function operatorName(): string {
  const { OPERATOR, SUDO_USER, USER } = process.env
  const user = [OPERATOR, SUDO_USER, USER].find(Boolean)
  const name = user ?? `user ${process.getuid?.() ?? 'unknown'}`
  const { error } = auditText.safeParse(name)
  if (error) throw new Error(`OPERATOR ${error.issues[0]?.message}`)
  return name
}

/** `npm start` keeps the demo's pepper beside its database. */
function withDemoPepper(config: ApiConfig): ApiConfig {
  const file = join(config.dataDir, DEMO_PEPPER)
  if (config.databaseUrl || config.loginPepper || !existsSync(file)) return config
  return { ...config, loginPepper: readFileSync(file, 'utf8').trim() }
}

export function runOnDatabase<Typed extends unknown[]>(
  work: (operator: Operator, ...typed: Typed) => Promise<void>,
): (...typed: Typed) => Promise<void> {
  return async (...typed) => {
    const config = withDemoPepper(readConfiguration(process.env))
    const folder = clusterFolder(config.dataDir)
    // With a mistyped path, a command would work on an empty database.
    if (!config.databaseUrl && !existsSync(folder))
      throw new Error(
        `there is no database in ${folder} that you may open; set DATA_DIR or DATABASE_URL as for the server, or start the server first, which creates one`,
      )
    const name = operatorName()
    const database = await openDatabase(
      config,
      (error) => console.error(`a connection to the database has ended: ${errorMessage(error)}`),
      { timeouts: TIMEOUTS, prepare: checkSchema },
    )
    try {
      const now = eventClock(await serverTime(database))
      await work({ name, config, database, now }, ...typed)
    } finally {
      await database.close()
    }
  }
}

export const auditTextOption = (flags: string, about: string) =>
  new Option(flags, about).argParser((typed) => {
    const { data, error } = auditText.safeParse(typed)
    if (error) throw new InvalidArgumentError(`It ${error.issues[0]?.message}.`)
    return data
  })

export const reasonOption = () => auditTextOption('--reason <text>', 'why, for the audit')

/** Writes a row when the work begins, and one with its outcome. */
export async function recordOutcome<Outcome>(
  { name, database }: Operator,
  command: Command,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const { reason, ...flags } = command.opts()
  const record = (outcome: object) =>
    recordChange(
      database,
      { subject: command.args.join(' '), detail: { ...flags, ...outcome } },
      { who: name, what: command.name(), why: reason },
    )
  await record({ begins: true })
  const outcome = await work().catch(async (error: unknown) => {
    // The first failure is the one to report.
    await record({ failed: errorMessage(error) }).catch(() => undefined)
    throw error
  })
  await record({ done: true, ...outcome })
  return outcome
}
