import { existsSync } from 'node:fs'
import { errorMessage } from '@anniversary/shared/error-message'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { text } from '../backoffice/contract.ts'
import type { Database } from '../database/database.ts'
import { clusterFolder } from '../database/managed/server.ts'
import { checkSchema } from '../database/migrate.ts'
import { openDatabase } from '../database/open.ts'
import { type ApiConfig, readConfig } from '../server/config.ts'
import { eventClock, serverTime } from '../server/event-clock.ts'
import { recordChange } from './audit.ts'

export interface Operator {
  /** For the audit: OPERATOR, else the user of the machine. */
  readonly name: string
  readonly config: ApiConfig
  readonly database: Database
  readonly now: () => Date
}

/** Recounts and exports may take long. */
const PATIENCE = { statementMs: 3_600_000, lockMs: 60_000 }

const auditText = text(500)

function operatorName(): string {
  const { OPERATOR, SUDO_USER, USER } = process.env
  const name = OPERATOR || SUDO_USER || USER || `user ${process.getuid?.() ?? 'unknown'}`
  const { error } = auditText.safeParse(name)
  if (error) throw new Error(`OPERATOR ${error.issues[0]?.message}`)
  return name
}

/** An action for commander: opens the database that the environment names, and closes it after `work`. */
export function onDatabase<Typed extends unknown[]>(
  work: (operator: Operator, ...typed: Typed) => Promise<void>,
): (...typed: Typed) => Promise<void> {
  return async (...typed) => {
    const config = readConfig(process.env)
    const folder = clusterFolder(config.dataDir)
    // The server alone makes one: on a mistyped path, each command would do its work on nothing.
    if (!config.databaseUrl && !existsSync(folder))
      throw new Error(
        `there is no database in ${folder} that you may open; set DATA_DIR or DATABASE_URL as the server has it, or start the server first, which makes one`,
      )
    const name = operatorName()
    const database = await openDatabase(
      config,
      (error) => console.error(`a connection to the database has ended: ${errorMessage(error)}`),
      { patience: PATIENCE, prepare: checkSchema },
    )
    try {
      const now = eventClock(config.eventNow ?? (await serverTime(database)))
      await work({ name, config, database, now }, ...typed)
    } finally {
      await database.close()
    }
  }
}

export const reasonOption = () =>
  new Option('--reason <text>', 'why, for the audit').argParser((reason) => {
    const { data, error } = auditText.safeParse(reason)
    if (error) throw new InvalidArgumentError(`It ${error.issues[0]?.message}.`)
    return data
  })

/** Audits work of many transactions: a row when it begins, and one with its outcome when it ends. */
export async function audited<Outcome>(
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
    // Where the database has gone, the failure is what counts.
    await record({ failed: errorMessage(error) }).catch(() => undefined)
    throw error
  })
  await record({ done: true, ...outcome })
  return outcome
}
