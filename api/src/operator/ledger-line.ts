import type { Command } from 'commander'
import { readText } from '../backoffice/contract.ts'
import { rowOf } from '../database/database.ts'
import { runOnDatabase } from './command.ts'

const readActivityLine = rowOf<
  {
    kind: string
    amount: string
    account: string
    at: string
    received: string
    by: string | null
  },
  [source: string, ref: string]
>(
  `SELECT a.kind, a.amount::text, m.account, event_time(a.occurred_at) AS at,
     event_time(a.received_at) AS received,
     (SELECT string_agg(b.brought_by, ' or ') FROM activity_batch b
      WHERE b.received_at = a.received_at) AS by
   FROM activity a JOIN member m ON m.id = a.member_id WHERE (a.source, a.ref) = ($1, $2)`,
)

export function addLedgerLineCommand(program: Command): void {
  program
    .command('line')
    .description('prints a line of the ledger, and the import or key that brought it')
    .argument('<source>', 'as the back office sent it', readText)
    .argument('<ref>', 'likewise', readText)
    .action(
      runOnDatabase(async ({ database }, source: string, ref: string) => {
        const line = await readActivityLine(database, source, ref)
        if (!line) throw new Error(`the ledger has no line ${ref} of ${source}`)
        const { kind, amount, account, at, received, by } = line
        console.log(`${kind} ${amount} of ${account} at ${at}`)
        console.log(`received ${received}, brought by ${by ?? 'a version that did not note it'}`)
      }),
    )
}
