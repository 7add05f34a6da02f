import { readTicketCode } from '@anniversary/shared/readers/ticket-code'
import { lockMembers } from '../backoffice/ledger.ts'
import { type Database, type Queryable, rowOf } from '../database/database.ts'
import { operatorAccountKeys } from '../login/credentials.ts'
import { findMember } from '../login/members.ts'
import type { LoginKeys } from '../server/pepper.ts'
import { type Change, recordChange } from './audit.ts'

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

const readTicket = rowOf<
  {
    code: string
    isVoid: boolean
    draw: number | null
    prize: string | null
    isGiftcode: boolean
    tradedAt: string | null
    deliveredAt: string | null
  },
  [code: string]
>(
  `SELECT t.code, t.voided_at IS NOT NULL AS "isVoid", d.draw, d.prize, d.giftcode IS NOT NULL AS "isGiftcode",
     event_time(g.traded_at) AS "tradedAt", event_time(v.delivered_at) AS "deliveredAt"
   FROM ticket t LEFT JOIN draw_result d ON d.ticket_code = t.code
   LEFT JOIN giftcode_trade g ON g.ticket_code = t.code
   LEFT JOIN delivery v ON v.ticket_code = t.code
   WHERE t.code = $1`,
)

/** @throws a sentence for the operator */
export async function lockTicketOfCode(tx: Queryable, text: string) {
  const code = readTicketCode(text)
  if (code === null) throw new Error(`${text} is not a ticket code (mistyped?)`)
  // Read after the lock, which an exchange may have held.
  await lockTicket(tx, code)
  const ticket = await readTicket(tx, code)
  if (!ticket) throw new Error(`there is no ticket ${code}`)
  return ticket
}

export const applyCorrection = (
  database: Database,
  change: (tx: Queryable) => Promise<Change>,
  by: Parameters<typeof recordChange>[2],
) =>
  database.transaction(async (tx) => {
    const changed = await change(tx)
    await recordChange(tx, changed, by)
    return changed
  })
