import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import {
  NODE_VERSIONS,
  nodeProgram,
  startUnit,
  unitFile,
} from '@anniversary/build/test/shipped-units'
import { freePorts } from '@anniversary/shared/testing/free-ports'
import { afterEach, beforeAll, expect, test } from '@jest/globals'
import { hashDeskToken } from '../src/server/desk-access.ts'
import { callerOf } from './caller.ts'
import { newDatabaseUrl } from './database.ts'
import { newFolder } from './folder.ts'

const root = join(import.meta.dirname, '../..')
const folder = newFolder()
const withDesk = join(folder, 'event-api@.service')
const DESK_TOKEN = 'a-token-of-the-desk'
let deskUrl = ''

beforeAll(async () => {
  cpSync(join(root, 'api/dist'), join(folder, 'api'), { recursive: true })
  cpSync(join(root, 'packaging'), join(folder, 'packaging'), { recursive: true })
  const example = readFileSync(join(root, 'packaging/api.env.example'), 'utf8')
  const rehearsal = 'EVENT_NOW=2025-08-20T20:00:00+07:00'
  writeFileSync(join(folder, 'api.env'), `${example}${rehearsal}\n`)
  const url = await newDatabaseUrl()
  for (const name of ['database-url', 'owner-url']) writeFileSync(join(folder, name), url)
  const [port] = await freePorts(1)
  deskUrl = `http://127.0.0.1:${port}/desk`
  writeFileSync(join(folder, 'api.env'), `DESK_PORT=${port}\n`, { flag: 'a' })
  writeFileSync(join(folder, 'desk-access'), `hoa:${hashDeskToken(DESK_TOKEN)}\n`)
  const parts = [unitFile('event-api@.service'), join(root, 'packaging/event-desk.conf')]
  writeFileSync(withDesk, parts.map((file) => readFileSync(file, 'utf8')).join('\n'))
  for (const name of ['login-pepper', 'backoffice-key', 'reports-key'])
    writeFileSync(join(folder, name), `${name}-of-the-tests`)

  // The user of the units reads what this one has written.
  execFileSync('chmod', ['-R', 'go+rX', folder])
  const socketFolder = decodeURIComponent(new URL(url).hostname)
  const { uid, gid } = statSync(socketFolder)
  const textfiles = join(folder, 'prometheus/node-exporter')
  mkdirSync(textfiles, { recursive: true })
  for (const own of [folder, textfiles]) chownSync(own, uid, gid)
  chmodSync(dirname(socketFolder), 0o711)
})

const servers: ReturnType<typeof startUnit>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.kill('SIGKILL')
})

test.each(NODE_VERSIONS)(
  'API and desk serve under the filter of their unit on Node %s',
  async (version) => {
    const api = startUnit(withDesk, folder, nodeProgram(version, folder))
    servers.push(api)
    const ended = once(api, 'exit')
    const log = text(api.stdout)
    const [origin] = await Promise.race([once(api, 'message'), ended])
    expect(String(origin)).toMatch(/^http:/)

    const call = callerOf(String(origin))
    const livez = await call({ url: '/livez' })
    const login = { site: 'ANNIVERSARY', username: 'nobody', lastBankNumber: '1234' }
    expect((await call({ url: '/healthz' })).status).toBe(200)
    expect((await call({ url: '/api/client/login', payload: login })).status).toBe(200)
    const metrics = await call({ url: '/metrics', key: 'reports-key-of-the-tests' })
    const basic = Buffer.from(`hoa:${DESK_TOKEN}`).toString('base64')
    const desk = await fetch(deskUrl, { headers: { authorization: `Basic ${basic}` } })
    api.kill('SIGTERM')
    expect(await ended).toEqual([0, null])

    expect(desk.status).toBe(200)
    // A forgotten EVENT_NOW is loud.
    expect(await log).toContain('EVENT_NOW is set')
    expect(livez.body.event_now).toMatch(/^2025-08-20T13:/)
    expect(metrics.body).toMatch(/^event_clock_ahead_seconds -\d+$/m)
  },
)

test('a lower limit of files than the unit has is said', () => {
  const line = 'ulimit -n 64; exec "$@"'
  const unit = [join(root, 'tools/release/run-as-unit.py'), '--in', folder, withDesk, '0']
  const { stderr } = spawnSync('sh', ['-c', line, 'sh', ...unit], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NODE: '/bin/true' },
  })
  expect(stderr).toMatch(/LimitNOFILE=65536, but runs with 64/)
})

async function backUp(): Promise<string[]> {
  const backup = startUnit(unitFile('event-backup.service'), folder, process.execPath)
  expect(await once(backup, 'exit')).toEqual([0, null])
  return readdirSync(join(folder, 'event-backup'))
}

test('the backup writes a dump under the filter of its unit, and removes old ones', async () => {
  const [dump = ''] = await backUp()
  expect(dump).toMatch(/^event-[\d-]+\.dump$/)
  // For the alert BackupOld.
  expect(existsSync(join(folder, 'prometheus/node-exporter/event-backup.prom'))).toBe(true)
  const old = join(folder, 'event-backup/event-old.dump')
  renameSync(join(folder, 'event-backup', dump), old)
  const then = Date.now() / 1000 - 29.1 * 86_400
  utimesSync(old, then, then)
  expect(await backUp()).toEqual([expect.stringMatching(/^event-[\d-]+\.dump$/)])
})

test.each([
  ['own:p%40s%25:%5C%C3%A9@db:5432/event?a=b@c', 'own@db:5432/event?a=b@c', 'p@s%:\\é'],
  ['own@db:5432/event', 'own@db:5432/event', ''],
  ['db:5432/a:b@c', 'db:5432/a:b@c', ''],
])('the backup of %s passes its password as no argument', async (given, shown, password) => {
  const { PATH } = process.env
  const state = join(folder, 'event-backup')
  rmSync(state, { recursive: true, force: true })
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const line = 'echo "$PGPASSWORD $*" > unfinished'
  writeFileSync(join(folder, 'bin/pg_dump'), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
  writeFileSync(join(folder, 'owner-url'), `postgres://${given}\n`)
  process.env.PATH = `${folder}/bin:${PATH}`
  const [dump = ''] = await backUp().finally(() => Object.assign(process.env, { PATH }))
  const seen = `${password} -Fc --dbname=postgres://${shown} --file=unfinished\n`
  expect(readFileSync(join(state, dump), 'utf8')).toBe(seen)
})
