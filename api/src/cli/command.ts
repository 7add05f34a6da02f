import { resolve } from 'node:path'
import { errorMessage } from '@anniversary/shared/error-message'
import { type Command, Option } from 'commander'
import { recordChange } from '../operator/audit.ts'
import type { Correction } from '../use-cases/corrections.ts'
import { type Operator, withDatabase } from './operator-database.ts'

export type Options = Readonly<Record<string, string | boolean | undefined>>

/** A row of the command table. */
export interface OperatorCommand {
  /** Name and arguments, such as `ban <account>`. */
  readonly usage: string
  /** The first line is for the list of commands. */
  readonly about: string
  /** Values of the first argument. */
  readonly choices?: readonly string[]
  readonly options?: readonly Option[]
  /** How the database is opened: `withDatabase`. */
  readonly database?: { readonly alone?: boolean; readonly anyPepper?: boolean }
  /** @returns what the audit keeps of it */
  run(operator: Operator, args: readonly string[], options: Options): Promise<object | undefined>
}

const nameOf = (usage: string) => usage.split(' ', 1)[0] ?? ''

/** npm runs scripts in the project's root; a person's paths are relative to where they typed. */
export const fromHere = (path: string) => resolve(process.env.INIT_CWD ?? process.cwd(), path)
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** For the audit. */
const reason = () => new Option('--reason <text>', 'why, for the audit')

/** A command that changes something, with its audit row in the same transaction. */
export function change(
  usage: string,
  about: string,
  apply: Correction,
  { needsReason = true } = {},
): OperatorCommand {
  const what = nameOf(usage)
  return {
    usage,
    about,
    options: [reason().makeOptionMandatory(needsReason)],
    async run({ name, database, now }, args, options) {
      const { subject, detail } = await database.transaction(async (tx) => {
        const changed = await apply(tx, args, now())
        await recordChange(tx, changed, { who: name, what, why: textOption(options, 'reason') })
        return changed
      })
      console.log(`${what} ${subject}: done${detail ? `  ${JSON.stringify(detail)}` : ''}`)
    },
  }
}

/** A command of many transactions: one audit row says that it begins, another how it ended; a killed one lacks the second. */
export function audited(
  command: OperatorCommand,
  isChange: (options: Options) => boolean = () => true,
): OperatorCommand {
  return {
    ...command,
    options: [...(command.options ?? []), reason()],
    async run(operator, args, options) {
      if (!isChange(options)) return command.run(operator, args, options)
      const { reason: why, ...flags } = options
      const record = (outcome: object) =>
        recordChange(
          operator.database,
          { subject: args.join(' '), detail: { ...flags, ...outcome } },
          { who: operator.name, what: nameOf(command.usage), why: typeof why === 'string' ? why : undefined },
        )
      await record({ begins: true })
      const outcome = await command.run(operator, args, options).catch(async (error: unknown) => {
        // Where the database has gone, the failure is what counts.
        await record({ failed: errorMessage(error) }).catch(() => undefined)
        throw error
      })
      await record({ done: true, ...outcome })
      return outcome
    },
  }
}

/** Adds a row of the table to the command line. */
export function register(program: Command, command: OperatorCommand): void {
  const { usage, about, choices, options = [], database = {}, run } = command
  const added = program
    .command(usage)
    .summary(about.split('\n', 1)[0] ?? '')
    .description(about)
  if (choices) added.registeredArguments[0]?.choices([...choices])
  for (const option of options) added.addOption(option)
  added.action(() =>
    withDatabase(async (operator) => {
      await run(operator, added.args, added.opts())
    }, database),
  )
}
