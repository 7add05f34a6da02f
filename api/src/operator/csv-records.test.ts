import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { newFolder } from '../../test/folder.ts'
import { type CsvEntry, readCsv } from './csv-records.ts'

const path = join(newFolder(), 'file.csv')

async function read(content: string | Buffer): Promise<CsvEntry[]> {
  writeFileSync(path, content)
  const entries: CsvEntry[] = []
  for await (const entry of readCsv(path, ['username', 'prize'])) entries.push(entry)
  return entries
}

const TEXT = 'username,prize\nNguyễn,"Áo, mũ 😀"\nbinh,999K\n'
const RECORDS = [
  { line: 2, fields: { username: 'Nguyễn', prize: 'Áo, mũ 😀' } },
  { line: 3, fields: { username: 'binh', prize: '999K' } },
]
const withSemicolons = TEXT.replace('username,', 'username;').replace('n,"', 'n;"').replace('h,9', 'h;9')

describe('a file as spreadsheets save it', () => {
  test.each<[string, string | Buffer]>([
    ['UTF-8', TEXT],
    ['UTF-8 with a byte order mark', `\uFEFF${TEXT}`],
    ['semicolons', `\uFEFF${withSemicolons}`],
    ['tabs', withSemicolons.replaceAll(';', '\t')],
    ['CR LF', TEXT.replaceAll('\n', '\r\n')],
    [
      'UTF-16 as Excel writes it, with tabs',
      Buffer.from(`\uFEFF${withSemicolons.replaceAll(';', '\t')}`, 'utf16le'),
    ],
    ['quoted names', TEXT.replace('username,prize', '"username","prize"')],
  ])('%s', async (_name, content) => {
    expect(await read(content)).toEqual(RECORDS)
  })
})

test.each([
  ['N\xEA\xF1,1', 'username: is not UTF-8; save the file as "CSV UTF-8"'],
  ['"chi,1', 'not CSV: a quote has no partner'],
  ['c"hi,1', 'not CSV: a quote has no partner'],
  ['"chi"x,1', 'not CSV: a quote has no partner'],
])('the line %s is refused by its number, and no other', async (line, problem) => {
  const file = Buffer.concat([Buffer.from(TEXT), Buffer.from(line, 'latin1'), Buffer.from('\nchi,1\n')])
  expect(await read(file)).toEqual([
    ...RECORDS,
    { line: 4, problem },
    { line: 5, fields: { username: 'chi', prize: '1' } },
  ])
})
