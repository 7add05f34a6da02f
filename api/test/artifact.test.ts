import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { NODE_VERSIONS, nodeProgram } from '@anniversary/build/test/shipped-units'
import { livezAnswer } from '@anniversary/shared/contract/api-version'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { startApi } from '../prove/api-process.ts'
import { BUSY, beginLogin, callerOf } from './caller.ts'
import { newDatabaseUrl } from './database.ts'
import { newFolder } from './folder.ts'

const root = join(import.meta.dirname, '..')
const folder = newFolder()

beforeAll(() => {
  // No parent folder has node_modules.
  cpSync(join(root, 'dist'), folder, { recursive: true })
})

describe.each(NODE_VERSIONS)('the artifact on Node %s', (version) => {
  let node: string
  beforeAll(() => {
    node = nodeProgram(version, folder)
  })
  const run = (file: string, args: string[], env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(node, [file, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env,
    })
    return { status, stdout, stderr }
  }

  test('prints its version and rejects unknown arguments', () => {
    for (const file of ['api.mjs', 'event.mjs'])
      expect(run(file, ['--version']).stdout).toMatch(/^1\.\S+ \(\w+/)
    expect(run('api.mjs', ['--help']).stdout).toContain('Usage: api')
    for (const args of [['--port=1'], ['start']])
      expect(run('api.mjs', args)).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^error: /),
      })
    const { status, stderr } = run('api.mjs', [], { NODE_ENV: 'production' })
    expect([status, stderr.match(/(?<=: )\w+/g)]).toEqual([1, ['DATABASE_URL', 'LOGIN_PEPPER']])
  })

  test('migrates, serves, says what runs, and drains through two signals', async () => {
    const env = {
      DATABASE_URL: await newDatabaseUrl(false),
      NODE_ENV: 'production',
      DRAIN_SECONDS: '1',
      REPORTS_KEY: 'key-of-the-reports',
    }
    expect(run('event.mjs', ['verify'], env).stderr).toMatch(/^this database has no schema/)
    expect(run('event.mjs', ['migrate'], env).stdout).toMatch(
      /^applied 0001_event\n(applied \w+\n)*the schema is up to date\n$/,
    )
    const api = await startApi(env, { file: join(folder, 'api.mjs'), node })
    const call = callerOf(api.origin)
    expect(livezAnswer.parse((await call({ url: '/livez' })).body).version).toBe('1.0.0')
    expect((await call({ url: '/healthz' })).status).toBe(200)
    const ended = once(api.child, 'exit')
    const finish = await beginLogin(api.origin, env.REPORTS_KEY)
    api.child.kill('SIGINT')
    while ((await call({ url: '/healthz' })).status === 200);
    api.child.kill('SIGINT')
    expect(await call({ url: '/healthz' })).toMatchObject({
      ...BUSY,
      headers: { connection: 'close' },
    })
    expect(await finish()).toMatchObject({ status: 200 })
    expect(await ended).toEqual([0, null])
  })
})
