import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from '@jest/globals'
import { newDatabaseUrl } from '../../test/database.ts'
import { freezeList } from '../../test/draw-lists.ts'
import { newFolder } from '../../test/folder.ts'
import { startTestApi } from '../../test/test-api.ts'
import { writeEvidence } from './evidence.ts'
import { banMember } from './member-corrections.ts'

/** As it is deployed, which Jest builds before the tests. */
const EVENT = fileURLToPath(new URL('../../dist/event.mjs', import.meta.url))

const url = await newDatabaseUrl()
const api = await startTestApi({ url })
const [folder, copy] = [newFolder(), newFolder()]
let digests: { list: string; sums: string }

/** Runs the commands of the written README, as a stranger does. */
function recount(cwd = folder, { list, sums } = digests) {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const script = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('\n')
  const env = { PATH: process.env.PATH, LIST: list, SUMS: sums }
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { cwd, env, encoding: 'utf8' })
  const others = stdout.match(/^(?!ok: |.*: OK$).+/gm) ?? []
  return { oks: stdout.match(/^(ok: .*|.*: OK)$/gm)?.length, others, stderr }
}
const SOUND = 10

beforeAll(async () => {
  const holders = []
  for (let n = 0; n < 6; n++) holders.push(await api.addHolder({ account: `nguoi.choi.${n}` }))
  await api.correct(banMember, 'nguoi.choi.5')
  api.setNow('2025-09-07T00:01:00+07:00')
  await freezeList(api, 1)
  for (const { codes } of holders.slice(0, 3)) await api.win(codes[0], { giftcode: null })
  await api.correct(banMember, 'nguoi.choi.2')
  digests = await writeEvidence(api.database, 1, folder)
})

test('a stranger recounts a draw with sha256sum, sort, comm and awk', () => {
  expect(recount()).toEqual({ oks: SOUND, others: [], stderr: '' })
  const content = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(content.join('')).not.toContain('nguoi.choi')
  expect(readFileSync(join(folder, 'later-changes.csv'), 'utf8').trim().split('\n')).toHaveLength(3)
})

test('one changed byte of any file is found', () => {
  for (const name of readdirSync(folder)) {
    cpSync(folder, copy, { recursive: true })
    const content = readFileSync(join(copy, name))
    const at = Math.floor(content.length / 2)
    content[at] = (content[at] ?? 0) ^ 1
    writeFileSync(join(copy, name), content)
    expect([name, recount(copy).oks === SOUND]).toEqual([name, false])
  }
})

test.each<[what: string, name: string, forge: (content: string, listed: string) => string]>([
  ['WRONG: not 11 codes', 'list.txt', (text) => text.replace(/^count: .*/m, 'count: 11')],
  ['is in the list and left out', 'excluded.csv', (text, code) => `${text}${code},void\n`],
  ['has won an earlier draw', 'results.csv', (text, code) => `${text}${code},0,Xe,,\n`],
  ['has won and is not in', 'results.csv', (text) => `${text}A,1,Xe,,\n`],
  ['has won twice', 'results.csv', (text) => text + text.slice(text.indexOf('\n') + 1)],
])('a forged folder with new sums prints another line than ok: %s', (line, name, forge) => {
  cpSync(folder, copy, { recursive: true })
  const path = join(copy, name)
  const listed = readFileSync(join(copy, 'list.txt'), 'utf8').split('\n')[5] ?? ''
  writeFileSync(path, forge(readFileSync(path, 'utf8'), listed))
  const resign = 'sha256sum *.* > SHA256SUMS; sha256sum list.txt SHA256SUMS | cut -c -64'
  const found = execFileSync('sh', ['-c', resign], { cwd: copy, encoding: 'utf8' })
  const [list = '', sums = ''] = found.split('\n')
  expect(recount(copy, { list, sums }).others.join()).toContain(line)
})

test('evidence of a broken database says so in its folder and by its exit code', async () => {
  await api.sql('UPDATE stage_tickets SET tickets = 6 WHERE member_id = 1')
  const broken = "BROKEN  every stage's counter is its number of tickets: 1"
  const args = [EVENT, 'evidence', '1', '--out', copy]
  const env = { PATH: process.env.PATH, DATABASE_URL: url, OPERATOR: 'an' }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(broken) })
  const [, list = '', sums = ''] = /LIST=(\S+) SUMS=(\S+)/.exec(stdout) ?? []
  expect(recount(copy, { list, sums })).toEqual({ oks: SOUND - 1, others: [broken], stderr: '' })
})
