import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { newDatabaseUrl } from './database.ts'
import { newFolder } from './folder.ts'
import { startTestApi } from './test-api.ts'

const file = join(newFolder(), 'event.dump')
const run = (line: string, databaseUrl = '') =>
  execFileSync('sh', ['-ec', line, 'sh', file, databaseUrl], { encoding: 'utf8' })

test('a dump can be restored', async () => {
  const url = await newDatabaseUrl()
  const api = await startTestApi({ url })
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
  run('pg_dump -Fc --file="$1" --dbname="$2"', url)
  // Newer programs than the server's name a setting that it does not have.
  const dump = run(
    'pg_restore --no-owner --file=- "$1" | grep -vx \'SET transaction_timeout = 0;\'',
  )
  writeFileSync(file, dump)
  const restoredUrl = await newDatabaseUrl(false)
  run('psql --quiet --single-transaction --set=ON_ERROR_STOP=1 --file="$1" "$2"', restoredUrl)

  const restored = await startTestApi({ url: restoredUrl })
  expect(await restored.isSound()).toBe(true)
  expect((await restored.claim(token, 'NAP_300')).body.data).toEqual([codes[0]])
  expect((await restored.trade(token)).body.data).toHaveLength(1)
  expect((await restored.login(account)).body.data.sign).toBeTruthy()
  // Identities continue.
  expect((await restored.addHolder()).codes).toHaveLength(2)
})
