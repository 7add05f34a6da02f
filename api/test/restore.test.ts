import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { forgetMember } from '../src/operator/member-corrections.ts'
import { newDatabaseUrl } from './database.ts'
import { startTestApi } from './test-api.ts'

const root = join(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'docs/operate/event.md'), 'utf8')
const commandsOf = (block: string) =>
  new RegExp(`\`\`\`sh ${block}\n([^\`]+)\`\`\``).exec(guide)?.[1] ?? 'false'

mkdirSync(join(root, '.data'), { recursive: true })
const folder = mkdtempSync(join(root, '.data', 'restore-'))
afterAll(() => rmSync(folder, { recursive: true }))

const url = await newDatabaseUrl()
const api = await startTestApi({ url })

const follow = (block: string, databaseUrl: string) =>
  execFileSync('sh', ['-ec', commandsOf(block)], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      DATABASE_URL: databaseUrl,
      LOGIN_PEPPER: 'pepper-of-the-tests',
    },
  })

test('a backup by the run book can be restored', async () => {
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
  follow('backup', url)
  const dump = execFileSync('pg_restore', ['--file=-', join(folder, 'event.dump')], {
    encoding: 'utf8',
  })
  expect(dump).toContain(account)
  expect(dump).not.toContain(forgotten)
  const claimedLater = await api.addHolder()

  const restoredUrl = await newDatabaseUrl(false)
  const lines = follow('restore', restoredUrl).match(/^(ok|BROKEN) .*/gm) ?? []
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
