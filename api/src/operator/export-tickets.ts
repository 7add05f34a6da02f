import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { type Queryable, statement } from '../database/database.ts'

const PAGE = 5000

const page = (name: string, columns: string, joins: string) =>
  statement(
    name,
    `SELECT t.member_id AS "memberId", t.stage, t.slot, t.code, m.name AS mission,
       event_time(t.claimed_at) AS "claimedAt", o.account${columns}
     FROM ticket t JOIN mission m ON m.code = t.mission JOIN member o ON o.id = t.member_id${joins}
     WHERE (t.member_id, t.stage, t.slot) > ($1::bigint, $2::smallint, $3::smallint)
     ORDER BY t.member_id, t.stage, t.slot LIMIT ${PAGE}`,
  )

const plain = page('export-tickets', '', '')
const withAddress = page(
  'export-tickets-addresses',
  `, a.fullname, a.phone_number AS "phoneNumber", a.address, a.note`,
  ' LEFT JOIN member_address a ON a.member_id = t.member_id',
)

interface TicketRow {
  readonly memberId: string
  readonly stage: number
  readonly slot: number
  readonly [column: string]: string | number | null
}

/**
 * A CSV field. Accounts and addresses are members' input: an apostrophe keeps a spreadsheet from running one as a
 * formula.
 */
export function csvField(value: string | number | null | undefined): string {
  const text = String(value ?? '')
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const COLUMNS = ['code', 'stage', 'mission', 'claimedAt', 'account'] as const
const ADDRESS_COLUMNS = ['fullname', 'phoneNumber', 'address', 'note'] as const

/**
 * Writes every ticket as CSV, in constant memory.
 * @param addresses adds the owners' personal data
 * @returns how many
 */
export async function exportTickets(db: Queryable, out: Writable, addresses: boolean): Promise<number> {
  const columns: readonly string[] = addresses ? [...COLUMNS, ...ADDRESS_COLUMNS] : COLUMNS
  out.write(
    `${addresses ? 'code,stage,mission,claimed_at,username,fullname,phone_number,address,note' : 'code,stage,mission,claimed_at,username'}\n`,
  )
  let count = 0
  let after: readonly [string, number, number] = ['0', 0, 0]
  for (;;) {
    const rows = await db.query<TicketRow>(addresses ? withAddress : plain, after)
    const last = rows.at(-1)
    if (!last) return count
    const text = rows.map((row) => `${columns.map((column) => csvField(row[column])).join(',')}\n`).join('')
    if (!out.write(text)) await once(out, 'drain')
    count += rows.length
    after = [last.memberId, last.stage, last.slot]
  }
}
