import { readTicketCode } from '@anniversary/shared/readers/ticket-code'
import { lockMembers } from '../backoffice/ledger.ts'
import { type Database, type Queryable, rowOf } from '../database/database.ts'
import { operatorAccountKeys } from '../login/credentials.ts'
import { findMember } from '../login/members.ts'
import type { LoginKeys } from '../server/pepper.ts'
import { type Change, recordChange } from './audit.ts'
import { findTicketFacts } from './member-facts.ts'

/**
 * Runs in the transaction of its audit row. Throws a sentence for the operator.
 * @param readKeys reads the login keys, for which the operator needs the pepper
 */
export type Correction = (
  tx: Queryable,
  args: readonly string[],
  at: Date,
  readKeys: () => Promise<LoginKeys>,
  who: string,
) => Promise<Change>

/** @throws a sentence for the operator */
export async function lockMemberRow(
  tx: Queryable,
  account: string,
): Promise<{ id: string; key: string }> {
  const member = await findMember(tx, operatorAccountKeys(account))
  const [locked] = member ? await lockMembers(tx, [member.accountKey]) : []
  if (!locked) throw new Error(`no member is called ${account}`)
  return { id: locked.id, key: locked.accountKey }
}

const lockTicket = rowOf<never, [code: string]>(
  'SELECT FROM ticket WHERE code = $1 FOR NO KEY UPDATE',
)

/** @throws a sentence for the operator */
export async function lockTicketOfCode(tx: Queryable, text: string) {
  const code = readTicketCode(text)
  if (code === null) throw new Error(`${text} is not a ticket code (mistyped?)`)
  // Read after the lock, which an exchange may have held.
  await lockTicket(tx, code)
  const ticket = await findTicketFacts(tx, code)
  if (!ticket) throw new Error(`there is no ticket ${code}`)
  return ticket
}

export const applyCorrection = <Applied extends Change>(
  database: Database,
  change: (tx: Queryable) => Promise<Applied>,
  by: Parameters<typeof recordChange>[2],
) =>
  database.transaction(async (tx) => {
    const changed = await change(tx)
    await recordChange(tx, changed, by)
    return changed
  })
