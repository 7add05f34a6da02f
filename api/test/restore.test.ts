import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { forgetMember } from '../src/operator/member-corrections.ts'
import { newDatabaseUrl } from './database.ts'
import { startTestApi } from './test-api.ts'

const root = join(import.meta.dirname, '../..')
mkdirSync(join(root, '.data'), { recursive: true })
const folder = mkdtempSync(join(root, '.data', 'restore-'))
afterAll(() => rmSync(folder, { recursive: true }))

const url = await newDatabaseUrl()
const api = await startTestApi({ url })

const file = join(folder, 'event.dump')
const run = (line: string, databaseUrl = '') =>
  execFileSync('sh', ['-ec', line, 'sh', file, databaseUrl], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      DATABASE_URL: databaseUrl,
      LOGIN_PEPPER: 'pepper-of-the-tests',
    },
  })

test('a dump can be restored', async () => {
  const [server] = await api.sql<{ major: number }>(
    "SELECT current_setting('server_version_num')::int / 10000 AS major",
  )
  const { stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' })
  if (!(Number(/\d+/.exec(stdout ?? '')?.[0]) >= (server?.major ?? 0)))
    throw new Error(
      `no pg_dump ${server?.major} or newer; Debian: apt-get install postgresql-client`,
    )
  const { account, token, codes } = await api.addHolder()
  await api.win(codes[0])
  const { account: forgotten } = await api.addHolder({ account: 'once-here' })
  await api.correct(forgetMember, forgotten)
  run('pg_dump -Fc --file="$1" --dbname="$2"', url)
  // Newer programs than the server's name a setting that it does not have.
  const dump = run(
    'pg_restore --no-owner --file=- "$1" | grep -vx \'SET transaction_timeout = 0;\'',
  )
  expect(dump).toContain(account)
  expect(dump).not.toContain(forgotten)
  const claimedLater = await api.addHolder()

  const restoredUrl = await newDatabaseUrl(false)
  writeFileSync(file, dump)
  run('psql --quiet --single-transaction --set=ON_ERROR_STOP=1 --file="$1" "$2"', restoredUrl)
  const lines = run('npm run event -- verify', restoredUrl).match(/^(ok|BROKEN) .*/gm) ?? []
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([])

  const restored = await startTestApi({ url: restoredUrl })
  expect((await restored.claim(token, 'NAP_300')).body.data).toEqual([codes[0]])
  expect((await restored.trade(token)).body.data).toHaveLength(1)
  expect((await restored.login(account)).body.data.sign).toBeTruthy()
  expect((await restored.login(claimedLater.account)).body.status_code).toBe(4010)
  // Identities continue.
  const next = await restored.addHolder({ account: 'after-the-restore' })
  expect(next.codes).toHaveLength(2)
})
