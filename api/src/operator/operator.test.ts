import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { NO_LIST } from '../../test/draw-lists.ts'
import { newFolder } from '../../test/folder.ts'
import { startTestApi } from '../../test/test-api.ts'
import type { Database, Queryable } from '../database/database.ts'
import { importDrawResults } from '../draws/import-draw.ts'
import type { NewMember } from '../login/members.ts'
import { type CsvEntry, readCsv } from './csv-records.ts'
import { type Importer, importCsvFile, withoutCommits } from './import-file.ts'
import { activityImporter, drawImporter, memberImporter } from './importers.ts'
import { countContent } from './verify.ts'

const folder = newFolder()
const path = join(folder, 'file.csv')
const api = await startTestApi()

const TEXT = 'username,prize\nNguyễn,"Áo, mũ 😀"\nbinh,999K\n'
const RECORDS = [
  { line: 2, fields: { username: 'Nguyễn', prize: 'Áo, mũ 😀' } },
  { line: 3, fields: { username: 'binh', prize: '999K' } },
]
const withSemicolons = TEXT.replace('username,', 'username;')
  .replace('n,"', 'n;"')
  .replace('h,9', 'h;9')
const withTabs = withSemicolons.replaceAll(';', '\t')
async function read(content: string | Buffer) {
  writeFileSync(path, content)
  const entries: CsvEntry[] = []
  for await (const entry of readCsv(path, ['username'], ['prize'])) entries.push(entry)
  return entries
}

test.each<[string, string | Buffer]>([
  ['UTF-8', TEXT],
  ['UTF-8 with a byte order mark', `\uFEFF${TEXT}`],
  ['semicolons', `\uFEFF${withSemicolons}`],
  ['tabs', withTabs],
  ['CR LF', TEXT.replaceAll('\n', '\r\n')],
  ['UTF-16 as Excel writes it, with tabs', Buffer.from(`\uFEFF${withTabs}`, 'utf16le')],
  ['columns without name and content', TEXT.replaceAll('\n', ',\n')],
  ['quoted names', TEXT.replace('username,prize', '"username","prize"')],
])('a CSV file is read: %s', async (_name, content) => {
  expect(await read(content)).toEqual(RECORDS)
})

test("Excel's line with the separator is skipped", async () => {
  const entries = await read(`\uFEFFsep=;\r\n${withSemicolons}`)
  expect(entries).toEqual(RECORDS.map(({ line, fields }) => ({ line: line + 1, fields })))
})

test('an apostrophe before what is refused without it marks text', async () => {
  const entries = await read(
    "username,prize\n'0912,'123456789012345000\n'=x,1\n'may-1990,'TRUE\n'an01,1\n",
  )
  expect(entries).toMatchObject([
    { fields: { username: '0912', prize: '123456789012345000' } },
    { fields: { username: "'=x" } },
    { fields: { username: 'may-1990', prize: 'TRUE' } },
    { fields: { username: "'an01" } },
  ])
})

test.each(['utf16le', 'swapped'] as const)(
  'a UTF-16 file without a mark (%s) is rejected',
  async (order) => {
    const file = Buffer.from(TEXT, 'utf16le')
    await expect(read(order === 'swapped' ? file.swap16() : file)).rejects.toThrow(
      'the file is no text, or UTF-16 without a byte order mark; save it as "CSV UTF-8"',
    )
  },
)

test.each([
  ['N\xEA\xF1,1', 'username: is not UTF-8; save the file as "CSV UTF-8"'],
  ['"chi,1', 'is not CSV: a quote is not closed'],
  ['c"hi,1', 'is not CSV: a quote is not closed'],
  ['"chi"x,1', 'is not CSV: a quote is not closed'],
  ...['1.23457E+14', '1.23e+14', '12.3E+14', '1,23E+14', '1E5', '123456789012345000'].map(
    (number) => [
      `chi,"${number}"`,
      'prize: was rounded by a spreadsheet; format the column as text, or write an apostrophe before it if it is right',
    ],
  ),
])('only the line %s is refused, by its number', async (line, problem) => {
  const file = Buffer.concat([
    Buffer.from(TEXT),
    Buffer.from(line, 'latin1'),
    Buffer.from('\nchi,1\n'),
  ])
  expect(await read(file)).toEqual([
    ...RECORDS,
    { line: 4, problem },
    { line: 5, fields: { username: 'chi', prize: '1' } },
  ])
})

async function load(
  importer: Importer,
  lines: readonly string[],
  database: Pick<Database, 'transaction'> = api.database,
) {
  writeFileSync(path, lines.join('\n'))
  const report: string[] = []
  const refuse = (line: number, reason: string) => report.push(`${line}: ${reason}`)
  const summary = await importCsvFile(
    database,
    path,
    importer,
    refuse,
    undefined,
    async () => undefined,
  )
  return { ...summary, report }
}
const members = memberImporter(api)

test('an import refuses invalid lines and can be repeated', async () => {
  const lines = [
    '\uFEFFusername,last_bank_number,address_required',
    'Nguyễn01,0042,1',
    'nguyen02,1234,',
    'ab,1234,0',
    'nguyen03,42,0',
    'nguyen04,1234,perhaps',
    'nguyen05,1234',
    ',,',
    'nguyen06',
    'nguyеn01,1234,', // a Cyrillic letter
  ]
  const first = await load(members, lines)
  expect(first).toMatchObject({ lines: 8, accepted: 3, repeated: 0 })
  expect(first.report).toEqual([
    expect.stringMatching(/^4: username: /),
    '5: last_bank_number: must be 4 digits',
    '6: address_required: must be 0 or 1',
    '9: has 1 fields instead of 3',
    '10: username: mixes alphabets, so it may look like another account',
  ])
  expect((await api.login('NGUYỄN01', '0042')).body.data).toMatchObject({ required_address: true })
  expect(await load(memberImporter(api), lines)).toMatchObject({ accepted: 0, repeated: 3 })
})

test("an import of new digits ends the member's sessions", async () => {
  const account = await api.addMember({ addressRequired: true })
  const token = (await api.login(account)).body.data.sign
  const renewed = await load(members, ['last_bank_number,username', `5678,${account}`])
  expect(renewed).toMatchObject({ accepted: 1, newDigits: 1, refused: 0 })
  expect((await api.list(token)).status).toBe(401)
  expect((await api.login(account, '1234')).body.data).toEqual({})
  expect((await api.login(account, '5678')).body.data).toMatchObject({ required_address: true })
})

test('an import that fails says what it stored and how to go on', async () => {
  const names = Array.from({ length: 600 }, (_, i) => `failing${i},1234`)
  writeFileSync(path, ['username,last_bank_number', ...names].join('\n'))
  let batches = 0
  const failing: Importer<NewMember> = {
    ...memberImporter(api),
    store: async (tx, entries) => {
      if (++batches === 3) throw new Error('the disk is full')
      return memberImporter(api).store(tx, entries)
    },
  }
  const run = (target = withoutCommits(api.database)) => {
    batches = 0
    return importCsvFile(target, path, failing, () => undefined)
  }
  await expect(run()).rejects.toThrow(/^the disk is full$/)
  await expect(run(api.database)).rejects.toThrow(
    'the disk is full; 500 lines were imported before, and 0 known already: repeat the command to go on',
  )
  expect(await load(memberImporter(api), ['username,last_bank_number', ...names])).toMatchObject({
    accepted: 100,
    repeated: 500,
  })
})

test('a line that contradicts an earlier one is refused', async () => {
  const lines = ['username,last_bank_number', 'Ok01,1234', 'other,1234', 'ok01,9999', 'OK01,1234']
  const imported = await load(members, lines)
  expect(imported).toMatchObject({ accepted: 2, repeated: 1, refused: 1 })
  expect(imported.report).toEqual(['4: username: line 2 has other values'])
  expect((await api.login('ok01', '1234')).body.data.sign).toBeTruthy()
})

test.each([
  ['', 'the file is empty; it needs a header: username,last_bank_number'],
  ['username|last_bank_number', 'the header lacks: username, last_bank_number'],
  ['username,last_bank_number,username', 'the header has username twice'],
  ['username,last_bank_number,bank', 'the header has unknown columns: bank; remove them'],
])('the header %j is rejected with a reason', async (text, message) => {
  await expect(load(members, [text])).rejects.toThrow(message)
})

test('an import of activity can be tried and repeated', async () => {
  const activity = activityImporter(api)
  const [one, two] = await Promise.all([api.addSession(), api.addSession()])
  const line = (ref: unknown, username: string, amount: string, kind = 'deposit') =>
    `file,${ref},${username},${kind},${amount},2025-08-11T09:00:00+07:00`
  const lines = [
    'source,ref,username,kind,amount,occurred_at',
    ...Array.from({ length: 2500 }, (_, i) => line(i, (i % 2 ? one : two).account, '1')),
    line('y', 'nobody-here', '5', 'bet'),
    line('0', two.account, '1'),
    line('0', two.account, '2'),
    // A thousand, fifteen thousand in Viet Nam, and a long number.
    line('x', one.account, '"1,000"'),
    line('z', one.account, '15.000'),
    line('1.23457E+14', one.account, '15'),
  ]
  const summary = { lines: 2506, accepted: 2500, repeated: 1, refused: 5 }
  // A dry run tries each batch by itself.
  const trial = await load(activity, lines, withoutCommits(api.database))
  expect(trial).toMatchObject({ ...summary, accepted: 2501, repeated: 0 })
  expect(await api.sql("SELECT FROM activity WHERE source = 'file'")).toEqual([])
  const first = await load(activity, lines)
  expect(first).toMatchObject(summary)
  expect(first.report.sort()).toEqual([
    '2502: unknown-member',
    '2504: conflict',
    expect.stringMatching(/^2505: amount: must be a number of points/),
    expect.stringMatching(/^2506: amount: /),
    expect.stringMatching(/^2507: ref: .* rounded /),
  ])
  for (const { token } of [one, two]) expect(await api.states(token)).toBe('203022')
  expect(await load(activity, lines)).toMatchObject({ accepted: 0, repeated: 2501, refused: 5 })
})

test('an amount that a comma splits into two columns is refused', async () => {
  const account = await api.addMember()
  const line = (ref: string) => `file,${ref},${account},deposit,2025-08-12 09:30,15,`
  const header = 'source,ref,username,kind,occurred_at,amount,reverses'
  const imported = await load(activityImporter(api), [header, `${line('s1')}000`, line('s2')])
  expect(imported).toMatchObject({ accepted: 1, refused: 1 })
  expect(imported.report).toEqual(['2: Unrecognized key: "reverses"'])
})

// spec: code-wins-once
test('an import of a draw adds winners once, with reasons', async () => {
  const { token, codes } = await api.addHolder()
  const [first, second] = codes
  const draw = (...lines: string[]) =>
    load(drawImporter(NO_LIST, {}), ['draw,code,prize,giftcode', ...lines])
  const lines = [
    `1,${first.toLowerCase().replaceAll('-', '–')},CODE  999K,G-${first}`,
    `3,${second},${'Xe máy'.normalize('NFD')}`,
    `1,0000-0000-0000,Code 999k,X`,
    `1,${first.slice(0, -1)},Code 999k,X`,
    `4,${first},Code 999k,X`,
    `1,${second},Code 999k,G-${first}\u200b`,
    `1,${second},Xe đạp,`,
  ]
  const imported = await draw(...lines)
  expect(imported).toMatchObject({ accepted: 2, repeated: 0, refused: 5, giftcodes: 1 })
  expect(
    await api.sql('SELECT prize FROM draw_result WHERE ticket_code = ANY($1)', [codes]),
  ).toEqual([{ prize: 'Code 999k' }, { prize: 'Xe máy' }])
  expect(imported.report.sort()).toEqual([
    '4: code: no such ticket',
    '5: code: is not a ticket code (mistyped?)',
    "6: draw: must be a draw's number, 1 to 3",
    '7: giftcode: must not hold control or invisible characters',
    expect.stringMatching(/^8: prize: is none of Xe ô tô, .*--other-prizes/),
  ])
  expect(await draw(...lines)).toMatchObject({ accepted: 0, repeated: 2 })
  const [third] = (await api.addHolder()).codes
  expect(
    (await draw(`2,${first},Code 999k,H-${first}`, `1,${third},Code 999k,G-${first}`)).report,
  ).toEqual(['2: code: has won already, in draw 1', '3: giftcode: belongs to another ticket'])
  // A forgotten column, and a column too much.
  expect((await draw(`2,${third},Code 999k,`, `2,${third},Xe ô tô,G`)).report).toEqual([
    '2: giftcode: must not be empty for Code 999k',
    '3: prize: the campaign does not give Xe ô tô in draw 2; giftcode: must be empty for Xe ô tô',
  ])
  const trade = await api.trade(token)
  expect(trade.body.data).toEqual([
    { giftcode: `G-${first}`, traded_at: '2025-09-09T20:00:00+07:00' },
  ])
  expect(await api.isSound()).toBe(true)
})

test('concurrent imports of a draw add each winner once', async () => {
  const [code] = (await api.addHolder()).codes
  const results = [{ code, draw: 1, prize: '999K', giftcode: `G-${code}` }]
  const add = (tx: Queryable) => importDrawResults(tx, results, NO_LIST)
  const [second] = await api.during(
    async (tx) => expect(await add(tx)).toMatchObject({ accepted: 1 }),
    () => [api.database.transaction(add)],
  )
  expect(second).toMatchObject({ accepted: 0, repeated: 1 })
})

// Each damage is done to a sound database and rolled back.
test.each([
  [
    "every stage's counter",
    `UPDATE stage_tickets SET tickets = tickets + 1 WHERE member_id = (SELECT member_id FROM ticket WHERE code = $1)`,
  ],
  [
    'has its completed mission',
    `UPDATE member_mission m SET tickets = 2 FROM ticket t WHERE t.code = $1 AND t.member_id = m.member_id AND t.mission = m.mission`,
  ],
  [
    'while its stage was open',
    `WITH t AS (UPDATE ticket SET claimed_at = '2025-09-07T00:00:00+07' WHERE code = $1 RETURNING *)
     UPDATE member_mission m SET claimed_at = t.claimed_at FROM t WHERE t.member_id = m.member_id AND t.mission = m.mission`,
  ],
  [
    'every mission has the state',
    `UPDATE member_mission m SET needs_review = true FROM ticket t
     WHERE t.code = $1 AND t.member_id = m.member_id AND t.mission = m.mission`,
  ],
  [
    'every stored sum',
    `UPDATE activity SET amount = amount - 1 WHERE kind = 'deposit' AND member_id = (SELECT member_id FROM ticket WHERE code = $1)`,
  ],
])('verify finds damage: %s', async (name, damage) => {
  const { codes } = await api.addHolder()
  expect(await api.isSound()).toBe(true)
  expect(await api.brokenBy(damage.replace('$1', `'${codes[0]}'`))).toEqual([
    expect.stringContaining(name),
  ])
})

test('verify counts in a transaction, whose statements may take longer', async () => {
  const query = () => Promise.reject(new Error('limited to 10 seconds'))
  expect(await countContent({ ...api.database, query })).toMatchObject({ review: 0 })
})

test('verify counts reversals whose event has not come', async () => {
  const username = await api.addMember()
  const event = { source: 'late', username, occurred_at: '2025-08-12T12:00:00+07:00' }
  const unmatched = async () => (await countContent(api.database))?.unmatched ?? 0
  const before = await unmatched()
  await api.send([{ ...event, ref: 'r', kind: 'reversal', reverses: 'd' }])
  expect(await unmatched()).toBe(before + 1)
  await api.send([{ ...event, ref: 'd', kind: 'deposit', amount: 1 }])
  expect(await unmatched()).toBe(before)
})
