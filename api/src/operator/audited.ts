import { errorMessage } from '@anniversary/shared/error-message'
import { type Command, Option } from 'commander'
import { recordChange } from './audit.ts'
import type { Operator } from './operator-database.ts'

export const reasonOption = () => new Option('--reason <text>', 'why, for the audit')

/**
 * Audits work of many transactions: one row says that it begins, another how it ended; a killed one lacks the second.
 * @param work resolves with what the audit keeps of it
 */
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
