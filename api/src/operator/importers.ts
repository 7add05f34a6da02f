import { BANK_DIGITS } from '@anniversary/shared/contract/event'
import { PRIZES } from '@anniversary/shared/contract/prizes'
import { readAmount } from '@anniversary/shared/readers/amount'
import { readFourDigits } from '@anniversary/shared/readers/bank-digits'
import { readPrize } from '@anniversary/shared/readers/prize'
import { readTicketCode } from '@anniversary/shared/readers/ticket-code'
import { z } from 'zod'
import {
  type ActivityEvent,
  accountField,
  activityEvent,
  textField,
} from '../backoffice/contract.ts'
import { ingestActivity } from '../backoffice/ingest.ts'
import { lockMembers } from '../backoffice/ledger.ts'
import { type Queryable, rowsOf } from '../database/database.ts'
import { drawNumber } from '../draws/draw-lists.ts'
import { type DrawResult, type ImportRules, importDrawResults } from '../draws/import-draw.ts'
import { forgottenAmong, unmarkForgotten } from '../login/forgotten.ts'
import { type NewMember, newMember, saveMembers } from '../login/members.ts'
import type { Context } from '../server/context.ts'
import type { Importer } from './import-file.ts'

export interface ImportOptions {
  /** Takes accounts that were forgotten. */
  readonly again?: boolean
  readonly otherPrizes?: boolean
}

/** A Cyrillic letter looks like another one, as in `dеmo`. */
function mixesAlphabets(name: string): boolean {
  const letters = name.match(/\p{L}/gu) ?? []
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter))
  return latin.length > 0 && latin.length < letters.length
}

const memberLine = z.strictObject({
  username: accountField.refine(
    (name) => !mixesAlphabets(name),
    'mixes alphabets, so it may look like another account',
  ),
  last_bank_number: z
    .string()
    .overwrite(readFourDigits)
    .regex(new RegExp(`^\\d{${BANK_DIGITS}}$`), `must be ${BANK_DIGITS} digits`),
  address_required: z
    .stringbool({ truthy: ['1', 'true'], falsy: ['', '0', 'false'], error: 'must be 0 or 1' })
    .optional(),
})

/**
 * Numbers of a line and of its content share 53 bits: a file may have a million
 * lines.
 */
const CONTENTS = 2 ** 29

export function memberImporter(
  { loginKeys }: Pick<Context, 'loginKeys'>,
  { again = false }: Pick<ImportOptions, 'again'> = {},
): Importer<NewMember> {
  const lines = new Map<string, number>()

  return {
    columns: ['username', 'last_bank_number'],
    optional: ['address_required'],
    line: memberLine.transform(({ username, last_bank_number, address_required }) =>
      newMember(loginKeys, username, last_bank_number, address_required),
    ),
    contradiction({ accountKey, bankHash, addressRequired }, line) {
      const flag = [undefined, false, true].indexOf(addressRequired)
      const content = (bankHash.readUInt32BE() >>> 5) * 4 + flag
      const first = lines.get(accountKey)
      if (first === undefined) lines.set(accountKey, line * CONTENTS + content)
      else if (first % CONTENTS !== content)
        return `username: line ${Math.floor(first / CONTENTS)} has other values`
    },
    async store(tx, entries) {
      const accounts = entries.map(({ accountKey }) => accountKey)
      await lockMembers(tx, accounts)
      const forgottenBy = await forgottenAmong(tx, loginKeys, accounts)
      const refused = entries.flatMap(({ accountKey }, index) => {
        const why = forgottenBy(accountKey)
        if (why === undefined || again) return []
        return { index, reason: `${why}; --again with a --reason adds the account anew` }
      })
      const places = new Set(refused.map(({ index }) => index))
      const taken = entries.filter((_, index) => !places.has(index))
      if (again) await unmarkForgotten(tx, loginKeys, accounts)
      const once = new Map(taken.map((entry) => [entry.accountKey, entry]))
      const saved = await saveMembers(tx, [...once.values()])
      const newDigits = saved.filter(({ hasNewDigits }) => hasNewDigits).length
      const accepted = saved.length
      return {
        accepted,
        repeated: taken.length - accepted,
        refused,
        ...(newDigits > 0 && { newDigits }),
      }
    },
  }
}

/** An empty cell is absent. What is no amount stays text and is refused. */
const activityLine = z.preprocess(
  ({ amount, reverses, ...fields }: Readonly<Record<string, string>>) => ({
    ...fields,
    ...(amount && { amount: readAmount(amount) ?? amount }),
    ...(reverses && { reverses }),
  }),
  activityEvent,
)

export const activityImporter = (
  { now }: Pick<Context, 'now'>,
  broughtBy = 'import',
): Importer<ActivityEvent> => ({
  columns: ['source', 'ref', 'username', 'kind', 'amount', 'occurred_at'],
  optional: ['reverses'],
  line: activityLine,
  store: (tx, entries) => ingestActivity(tx, entries, now(), broughtBy),
})

const drawLine = z.strictObject({
  draw: drawNumber,
  code: z.string().transform(readTicketCode).pipe(z.string('is not a ticket code (mistyped?)')),
  prize: textField(200),
  giftcode: textField(200, 0)
    .default('')
    .transform((giftcode) => giftcode || null),
})

const UNKNOWN_PRIZE = {
  path: ['prize'],
  message: `is none of ${PRIZES.map(({ name }) => name).join(', ')}; --other-prizes takes it as it is written`,
}

/**
 * Prizes are stored as the campaign spells them. Without a gift code, customer
 * support hands the prize over.
 */
export const drawImporter = (
  rules: ImportRules,
  { otherPrizes }: ImportOptions,
): Importer<DrawResult> => ({
  columns: ['draw', 'code', 'prize'],
  optional: ['giftcode'],
  line: drawLine.transform((line, context) => {
    const prize = readPrize(line.prize, PRIZES)
    if (!prize) {
      if (!otherPrizes) context.addIssue({ code: 'custom', ...UNKNOWN_PRIZE })
      return line
    }
    const { name, giftcode = false, mostPerDraw } = prize
    if (mostPerDraw[line.draw - 1] === 0) {
      const message = `the campaign does not give ${name} in draw ${line.draw}`
      context.addIssue({ code: 'custom', path: ['prize'], message })
    }
    if (giftcode !== (line.giftcode !== null)) {
      const message = `must ${giftcode ? 'not be' : 'be'} empty for ${name}`
      context.addIssue({ code: 'custom', path: ['giftcode'], message })
    }
    return { ...line, prize: name }
  }),
  store: (tx, entries) => importDrawResults(tx, entries, rules),
})

const countPrizes = rowsOf<
  { draw: number; prize: string; count: number },
  [draws: readonly number[], prizes: readonly string[]]
>(
  `SELECT draw, prize, count(*)::int AS count
   FROM (
     SELECT draw, prize FROM draw_result JOIN valid_ticket ON code = ticket_code
     UNION ALL
     SELECT * FROM unnest($1::smallint[], $2::text[])
   ) r
   GROUP BY draw, prize
   ORDER BY draw, count, prize`,
)

/**
 * Returns a sentence for each draw that has results.
 * @param unsaved results of a trial
 */
export async function describePrizes(
  db: Queryable,
  unsaved: readonly DrawResult[],
): Promise<string[]> {
  const given = await countPrizes(
    db,
    unsaved.map(({ draw }) => draw),
    unsaved.map(({ prize }) => prize),
  )
  const lines = new Map<number, string[]>()
  for (const { draw, prize, count } of given) {
    const most = PRIZES.find(({ name }) => name === prize)?.mostPerDraw[draw - 1] ?? count
    const excess = count > most ? ` (TOO MANY: the campaign gives ${most})` : ''
    lines.set(draw, [...(lines.get(draw) ?? []), `${prize} ${count}${excess}`])
  }
  return Array.from(lines, ([draw, prizes]) => `draw ${draw} then has: ${prizes.join(', ')}`)
}
