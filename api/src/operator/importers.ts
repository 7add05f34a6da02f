import { BANK_DIGITS, DRAWS, PRIZES } from '@anniversary/shared/contract/event'
import { readAmount } from '@anniversary/shared/readers/amount'
import { readFourDigits } from '@anniversary/shared/readers/bank-digits'
import { readPrize } from '@anniversary/shared/readers/prize'
import { readTicketCode } from '@anniversary/shared/readers/ticket-code'
import { z } from 'zod'
import { type ActivityEvent, account, activityEvent, text } from '../backoffice/contract.ts'
import { ingest } from '../backoffice/ingest.ts'
import { type DrawResult, type ImportRules, importDrawResults } from '../draws/import-draw.ts'
import { type NewMember, newMember, saveMembers } from '../login/members.ts'
import type { Context } from '../server/context.ts'
import type { Importer } from './import-file.ts'

export interface ImportOptions {
  /** Takes prizes that the campaign does not have. */
  readonly otherPrizes?: boolean
}

/** True for a name such as `dеmo` with a Cyrillic letter, which looks like another one. */
function mixesAlphabets(name: string): boolean {
  const letters = name.match(/\p{L}/gu) ?? []
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter))
  return latin.length > 0 && latin.length < letters.length
}

const memberLine = z.strictObject({
  username: account.refine(
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

export function memberImporter({ loginKeys }: Pick<Context, 'loginKeys'>): Importer<NewMember> {
  const lines = new Map<string, { line: number; content: string }>()
  return {
    columns: ['username', 'last_bank_number'],
    optional: ['address_required'],
    line: memberLine.transform(({ username, last_bank_number, address_required }) =>
      newMember(loginKeys, username, last_bank_number, address_required),
    ),
    contradiction({ accountKey, bankHash, addressRequired }, line) {
      const content = `${addressRequired} ${bankHash.toString('base64')}`
      const first = lines.get(accountKey)
      if (!first) lines.set(accountKey, { line, content })
      else if (first.content !== content) return `username: line ${first.line} has other values`
    },
    async store(tx, entries) {
      const once = new Map(entries.map((entry) => [entry.accountKey, entry]))
      const saved = await saveMembers(tx, [...once.values()])
      return { accepted: saved.length, repeated: entries.length - saved.length, refused: [] }
    },
  }
}

/** An empty amount or `reverses` is an absent one. What is no amount stays text and is refused. */
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
  store: (tx, entries) => ingest(tx, entries, now(), broughtBy),
})

const CAMPAIGN_PRIZES = PRIZES.map(({ name }) => name)

const drawLine = z.strictObject({
  draw: z
    .enum(
      DRAWS.map((_, i) => String(i + 1)),
      `must be a draw's number, 1 to ${DRAWS.length}`,
    )
    .transform(Number),
  code: z.string().transform(readTicketCode).pipe(z.string('is not a ticket code (mistyped?)')),
  prize: text(200),
  giftcode: text(200, 0)
    .default('')
    .transform((giftcode) => giftcode || null),
})

const UNKNOWN_PRIZE = {
  path: ['prize'],
  message: `is none of ${CAMPAIGN_PRIZES.join(', ')}; --other-prizes takes it as it is written`,
}

/** Imports winning tickets. Prizes are stored as the campaign spells them. Without a gift code, customer support hands the prize over. */
export const drawImporter = (
  rules: ImportRules,
  { otherPrizes }: ImportOptions,
): Importer<DrawResult> => ({
  columns: ['draw', 'code', 'prize'],
  optional: ['giftcode'],
  line: drawLine.transform((line, context) => {
    const prize = readPrize(line.prize, CAMPAIGN_PRIZES)
    if (prize === undefined && !otherPrizes) context.addIssue({ code: 'custom', ...UNKNOWN_PRIZE })
    return { ...line, prize: prize ?? line.prize }
  }),
  store: (tx, entries) => importDrawResults(tx, entries, rules),
})
