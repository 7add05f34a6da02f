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

describe('a line is refused by its number', () => {
  test.each<[string, Buffer, string]>([
    ['Windows-1258', Buffer.from([0x4e, 0xea, 0xf1]), 'username: is not UTF-8; save the file as "CSV UTF-8"'],
    [
      'half a surrogate pair',
      Buffer.from([0xed, 0xa0, 0x80]),
      'username: is not UTF-8; save the file as "CSV UTF-8"',
    ],
  ])('with %s', async (_name, bytes, problem) => {
    const [before, after] = TEXT.split('binh')
    expect(
      await read(Buffer.concat([Buffer.from(before ?? ''), bytes, Buffer.from(`${after}chi,1\n`)])),
    ).toEqual([RECORDS[0], { line: 3, problem }, { line: 4, fields: { username: 'chi', prize: '1' } }])
  })

  test('with a quote that has no partner, and no other line', async () => {
    const [before, after] = TEXT.split('binh')
    for (const stray of ['"chi,1', 'c"hi,1', '"chi"x,1'])
      expect(await read(`${before}${stray}\nbinh${after}`)).toEqual([
        RECORDS[0],
        { line: 3, problem: 'not CSV: a quote has no partner' },
        { ...RECORDS[1], line: 4 },
      ])
  })
})
