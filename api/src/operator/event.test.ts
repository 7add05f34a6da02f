import { type ChildProcess, execFile, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { newDatabase, newDatabaseUrl, WAITING } from '../../test/database.ts'
import { newFolder } from '../../test/folder.ts'
import { startTestApi } from '../../test/test-api.ts'
import { createApi } from '../create-api.ts'
import { type Database, namedStatement } from '../database/database.ts'
import { newMember, saveMembers } from '../login/members.ts'
import { syncMissions } from '../missions/mission-list.ts'
import { readConfiguration } from '../server/config.ts'
import { loginKeys, openLoginKeys } from '../server/pepper.ts'
import { readAuditRows } from './audit.ts'
import { withoutCommits } from './import-file.ts'
import { formatNumber } from './member-report.ts'

/** The commands as they are deployed, which Jest builds before the tests. */
const EVENT = fileURLToPath(new URL('../../dist/event.mjs', import.meta.url))

const PEPPER = 'a pepper of the tests'
const url = await newDatabaseUrl()
const folder = newFolder()
const allRefused = join(folder, 'members.csv')
writeFileSync(allRefused, 'username,last_bank_number\nan01,12\n')

async function serve(url: string, env: Record<string, string> = {}) {
  const own = { DATABASE_URL: url, LOGIN_PEPPER: PEPPER, DATA_DIR: folder, LOG_LEVEL: 'silent' }
  await (await createApi(readConfiguration({ ...own, ...env }))).close()
}
await serve(url)

/** The pepper's fingerprint and the missions. */
const stored = (database: Database) =>
  database.query(
    namedStatement('SELECT s::text FROM setting s UNION ALL SELECT m::text FROM mission m'),
  )

const event = (...args: string[]) => eventAt({ DATABASE_URL: url }, ...args)
const own = { ...process.env, NODE_OPTIONS: '', LOGIN_PEPPER: PEPPER, OPERATOR: 'an' }
function eventAt(place: Record<string, string>, ...args: string[]) {
  const env = { ...own, ...place }
  let child: ChildProcess | undefined
  const done = new Promise<{ code: number; out: string; err: string }>((resolve) => {
    child = execFile(process.execPath, [EVENT, ...args], { env }, (_error, out, err) =>
      resolve({ code: child?.exitCode ?? -1, out, err }),
    )
  })
  return Object.assign(done, {
    kill: (signal: NodeJS.Signals) => child?.kill(signal),
    hasPrinted: () => new Promise((resolve) => child?.stderr?.once('data', resolve)),
  })
}

test.each<[exit: number, args: string[], printed: RegExp]>([
  [0, ['void', '--help'], /Usage: event void \[options\] <code>(.*\n)*.*--reason <text>/],
  [2, ['ban', 'an01'], /required option '--reason <text>' not specified/],
  [1, ['ban', 'nobody', '--reason', 'x'], /^no member is called nobody\n$/],
  [1, ['show', 'nobody'], /^no member is called nobody\n$/],
  [
    1,
    ['import', 'members', '/nowhere'],
    /^ENOENT: no such file .*'\/nowhere'; check the path, which is relative to where you typed the command\n$/,
  ],
  [
    0,
    ['audit'],
    /an {2}import members \/nowhere {2}\{"failed":"ENOENT: .*\n.*an {2}import members \/nowhere {2}\{"begins":true\}\n$/,
  ],
  [1, ['import', 'members', '/dev/stdin'], /^\/dev\/stdin is not a regular file; save the lines/],
  [2, ['ban', 'an01', '--reason', ' '], /argument ' ' is invalid. It must not be empty/],
  [
    2,
    ['ban', 'an01', '--reason', 'x\n2025 boss ban an02'],
    /It must not hold control or invisible/,
  ],
  [
    1,
    ['export', 'tickets', '--out', '/nowhere/x.csv'],
    /^ENOENT: no such file .*; check the path, .*\n$/,
  ],
  [1, ['line', 'bank', 'bù'.normalize('NFD')], /^the ledger has no line b\u00f9 of bank\n$/],
  [1, ['draw', 'freeze', '1', '--again'], /^--again needs a --reason\n$/],
  [1, ['draw', 'freeze', '4'], /^there is no draw 4; draws are 1 to 3\n$/],
  [
    1,
    ['evidence', '1', '--out', folder],
    /^draw 1 has no frozen list, so there is nothing to prove\n$/,
  ],
  [1, ['import', 'draw', allRefused], /--list DIGEST; .* --without-list REASON\n$/],
  [0, ['desk-token', 'hoa'], /DESK_ACCESS.*: hoa:[0-9a-f]{64}\n$/],
  [
    2,
    ['desk-token', 'Lan Anh'],
    /^error: .*'Lan Anh' is invalid.* It must have 1 to 64 unaccented/,
  ],
  [2, ['desk-token', 'Hòa'], /^error: .*'Hòa' is invalid.* as in lan-anh\.\n$/],
  [0, ['verify'], /^(ok .*\n)+checked 0 members, 0 tickets, 0 events of the ledger\n$/],
  [1, ['import', 'members', allRefused], /^1 lines: 0 imported, 0 known already, 1 refused\n/],
])('exit code %s: event %j', async (code, args, printed) => {
  const ended = await event(...args)
  expect(ended.out + ended.err).toMatch(printed)
  expect(ended.code).toBe(code)
})

test.each([
  ['ban', 'unseen', '--reason', 'x'],
  ['export', 'winners'],
])('event %s says that its output could not be written', async (...args) => {
  const database = await newDatabase(url)
  await saveMembers(database, [newMember(loginKeys(PEPPER), 'unseen', '1234')])
  await database.close()
  const { status, stderr } = spawnSync(process.execPath, [EVENT, ...args], {
    env: { ...own, DATABASE_URL: url },
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  })
  expect(stderr).toMatch(/^the output could not .*ENOSPC.*; "event audit" says what was done\n$/)
  expect(status).toBe(1)
})

test('an OPERATOR of two lines is rejected', async () => {
  const place = { DATABASE_URL: url, OPERATOR: 'an\n2025-08-20  boss  ban r0002' }
  const { code, err } = await eventAt(place, 'audit')
  expect([code, err]).toEqual([1, 'OPERATOR must not hold control or invisible characters\n'])
})

test('a dry run writes neither rows nor a report', async () => {
  const url = await newDatabaseUrl()
  const database = await newDatabase(url)
  const event = (...args: string[]) => eventAt({ DATABASE_URL: url }, ...args)
  const file = join(folder, 'trial.csv')
  writeFileSync(file, 'source,ref,username,kind,amount,occurred_at\ns,1,nobody,bet,1,2025-08\n')
  writeFileSync(`${file}.refused.csv`, 'of an import')
  const unused = 'no server has used this database yet; start the API once, then repeat\n'
  const before = await stored(database)
  expect((await event('import', 'activity', file, '--dry-run')).err).toBe(unused)
  expect((await event('import', 'members', allRefused, '--dry-run')).err).toBe(unused)
  expect(await stored(database)).toEqual(before)

  await openLoginKeys(database, PEPPER)
  await syncMissions(database)
  await database.query(namedStatement("UPDATE mission SET goal = 999 WHERE code = 'NAP_300'"))
  const changed = await stored(database)
  expect((await event('import', 'activity', file, '--dry-run')).out).toMatch(
    /^line 2: occurred_at: .*\n1 lines: 0 would be imported, 0 known already, 1 refused\n$/,
  )
  expect(await stored(database)).toEqual(changed)
  expect(readFileSync(`${file}.refused.csv`, 'utf8')).toBe('of an import')
  await database.close()
})

/** Waits 20 ms instead of ten seconds between two lines of progress. */
const IMPATIENT = `--import=data:text/javascript,${encodeURIComponent(
  'const wait = setInterval; globalThis.setInterval = (work) => wait(work, 20)',
)}`

test('an import that a signal ends says what it did, and the next one goes on', async () => {
  const api = await startTestApi({ url })
  const fileOf = (count: number) => {
    const file = join(folder, `many-${count}.csv`)
    const lines = Array.from({ length: count }, (_, i) => `many${i},1234\n`)
    writeFileSync(file, `username,last_bank_number\n${lines.join('')}`)
    return file
  }
  const file = fileOf(4000)
  const stored = async () => (await api.sql("SELECT FROM member WHERE account LIKE 'many%'")).length
  /** The import waits for the line's member, so that it cannot end before. */
  const endBy = async (signal: NodeJS.Signals, line: number, imported = file) => {
    let running: ReturnType<typeof event> | undefined
    await withoutCommits(api.database).transaction(async (tx) => {
      await saveMembers(tx, [newMember(loginKeys(PEPPER), `many${line}`, '1234')])
      const place = { DATABASE_URL: url, NODE_OPTIONS: IMPATIENT }
      running = eventAt(place, 'import', 'members', imported)
      await api.untilLocked(1)
      await running.hasPrinted()
      running.kill(signal)
      // As Ctrl-C arrives through npm. Two that wait become one.
      await sleep(100)
      running.kill(signal)
    })
    // The connection of a killed import would be taken for the next one's.
    while ((await api.sql(`SELECT ${WAITING}`)).length > 0) await sleep(20)
    return running
  }
  const whole = await endBy('SIGINT', 50, fileOf(250))
  expect(whole).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^250 lines: 250 .*\n$/),
    err: expect.stringMatching(/^(\d+ lines so far\n)*250 lines so far\n$/),
  })

  const stopped = await endBy('SIGHUP', 1000)
  expect(stopped?.code).toBe(129)
  expect(stopped?.out).toMatch(/lines: [\d,]+ imported, 250 known already, 0 refused\n.*repeat the/)
  expect(stopped?.out).toContain(` ${formatNumber((await stored()) - 250)} imported`)

  await endBy('SIGKILL', 2000)
  const repeated = await endBy('SIGINT', 3000)
  expect(repeated?.code).toBe(130)
  expect(repeated?.out).toMatch(/^the import of this file by an at .* did not end; .*\n/)
})

test('an export replaces its file whole, with mode 0600', async () => {
  const file = join(folder, 'out.csv')
  writeFileSync(file, 'the last export', { mode: 0o644 })
  expect((await event('export', 'tickets', '--out', file)).out).toBe(`0 lines written to ${file}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toMatch(/code,stage/)
  expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([])
})

test('a missing database is reported and not created', async () => {
  const path = join(folder, 'mistyped')
  expect(await eventAt({ DATA_DIR: path, DATABASE_URL: '' }, 'verify')).toEqual({
    code: 1,
    out: '',
    err: `there is no database in ${path}/postgres that you may open; set DATA_DIR or DATABASE_URL as for the server, or start the server first, which creates one\n`,
  })
  expect(existsSync(path)).toBe(false)
})

test("the demo's own database needs no variable but its folder", async () => {
  const demo = join(folder, 'demo')
  mkdirSync(demo)
  const pepper = 'a pepper that npm start has made'
  writeFileSync(join(demo, 'login-pepper'), `${pepper}\n`)
  await serve('', { DATA_DIR: demo, LOGIN_PEPPER: pepper })
  const members = join(demo, 'members.csv')
  writeFileSync(members, 'username,last_bank_number\nan01,1234\n')
  const { code, out } = await eventAt(
    { DATA_DIR: demo, DATABASE_URL: '', LOGIN_PEPPER: '' },
    'import',
    'members',
    members,
  )
  expect([code, out]).toEqual([0, expect.stringMatching(/^1 lines: 1 imported/)])
})

test("close goes by the server's clock", async () => {
  const EVENT_NOW = '2025-10-30T00:00:00+07:00'
  const place = { DATABASE_URL: await newDatabaseUrl(), EVENT_NOW }
  await serve(place.DATABASE_URL, { DEMO: '1', EVENT_NOW: '2025-08-20T20:00:00+07:00' })
  expect(await eventAt(place, 'close', '--reason', 'x')).toEqual({
    code: 1,
    out: '',
    err: 'prizes can be claimed until 2025-10-29T16:59:59.000Z: too early to close the event\n',
  })
  await serve(place.DATABASE_URL, { EVENT_NOW })
  expect((await eventAt(place, 'close', '--reason', 'x')).out).toBe('close done {"members":3}\n')
})

test('an import of results names winners of a later list, which a freeze corrects', async () => {
  const url = await newDatabaseUrl()
  await serve(url, { EVENT_NOW: '2025-09-19T12:00:00+07:00' })
  const api = await startTestApi({ url })
  const codes = (await api.addHolder()).codes.toSorted()
  const event = (...args: string[]) => eventAt({ DATABASE_URL: url }, ...args)
  const freeze = (...options: string[]) => event('draw', 'freeze', '2', ...options)
  const { code, err } = await freeze('--reason', 'routine')
  expect([code, err]).toEqual([1, expect.stringMatching(/^draw 1 has no results yet, and/)])
  const exception = '"withoutResults":{"draws":[1],"why":"no show"}'
  expect((await freeze('--without-results', 'no show')).out).toContain(exception)

  const file = join(folder, 'results.csv')
  const lines = [`1,${codes[0]},Code 999k,G-1`, `1,${codes[1]},Xe máy,`]
  writeFileSync(file, ['draw,code,prize,giftcode', ...lines].join('\n'))
  const importResults = async (...options: string[]) =>
    (await event('import', 'draw', file, '--without-list', 'x', ...options)).out
  const prizes = 'draw 1 then has: Code 999k 1, Xe máy 1\n'
  const named = `in the list of a later draw, which "draw freeze N --again" corrects until a minute before it: ${codes.join(', ')}\n`
  expect(await importResults()).toBe(
    `2 lines: 2 imported, 1 of them with a gift code, 0 known already, 0 refused\n${prizes}${named}`,
  )
  const [outcome] = await readAuditRows(api.database, null)
  expect(outcome?.detail).toMatchObject({ giftcodes: 1, inLaterLists: codes })
  expect(await importResults()).toContain(named)
  const again = await freeze('--again', '--reason', 'late winners')
  expect(again.out).toContain('"excluded":{"won in draw 1":2},"replaces":"')
  expect(await importResults()).not.toContain(named)

  const more = (await Promise.all([api.addHolder(), api.addHolder()])).flatMap(({ codes }) => codes)
  const bikes = more.slice(0, 2).map((code) => `1,${code},Xe máy,`)
  writeFileSync(file, ['draw,code,prize,giftcode', ...bikes, `3,${more[2]},Xe ô tô,`].join('\n'))
  expect(await importResults('--dry-run')).toMatch(
    /would be imported.*\ndraw 1 then has: Code 999k 1, Xe máy 3 \(TOO MANY: the campaign gives 2\)\ndraw 3 then has: Xe ô tô 1\n$/,
  )
})

test('a lost connection is reported without a stack', async () => {
  const api = await startTestApi({ url })
  const account = await api.addMember()
  const { command } = await api.holding('SELECT FROM member FOR UPDATE', async () => {
    const command = event('ban', account, '--reason', 'x')
    await api.untilLocked(1)
    await api.sql(`SELECT pg_terminate_backend(pid) ${WAITING}`)
    return { command }
  })
  const { code, out, err } = await command
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(
    /^the database does not answer \(.+\); check with "audit" or "show" what was done, then repeat/m,
  )
  expect(err).not.toMatch(/^ +at /m)
})
