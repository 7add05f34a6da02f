import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { variableNames } from '@anniversary/api/config'
import { newFolder } from '@anniversary/api/test/folder'
import { OWN_VARIABLES, reachableHost, readEnvironment } from './environment.ts'

const root = newFolder()
const read = (env: Record<string, string>) => readEnvironment(env, root)

test('the default is a demo on port 3000 of this machine', () => {
  expect(read({})).toMatchObject({
    apiConfig: { port: 3000, host: '127.0.0.1' },
    siteDir: join(root, 'site'),
    dataDir: join(root, '.data'),
    demo: true,
    apiEnv: { DEMO: '1', EVENT_NOW: '2025-08-20T20:00:00+07:00', DATA_DIR: join(root, '.data') },
    config: {
      apiBase: '/api',
      reportUrl: '/api/reports',
      site: 'ANNIVERSARY',
      shareHost: 'facebook.com',
    },
  })
})

test('production has no demo and requires its secrets', () => {
  const given = { DATABASE_URL: 'postgres://an@db/event', LOGIN_PEPPER: 'a pepper of the tests' }
  const { demo, apiEnv } = read({ NODE_ENV: 'production', ...given })
  expect(demo).toBe(false)
  expect(apiEnv).not.toHaveProperty('DEMO')
  expect(apiEnv).not.toHaveProperty('EVENT_NOW')
  expect(() => read({ NODE_ENV: 'production' })).toThrow(
    /DATABASE_URL or .* LOGIN_PEPPER or LOGIN_PEPPER_FILE/,
  )
})

test('the demo makes a pepper for its owner alone, and keeps it', () => {
  const { apiConfig, dataDir } = read({})
  const file = join(dataDir, 'login-pepper')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(apiConfig.loginPepper).toBe(readFileSync(file, 'utf8').trim())
  expect(apiConfig.loginPepper).toMatch(/^[0-9a-f]{64}$/)
  expect(read({}).apiConfig.loginPepper).toBe(apiConfig.loginPepper)
})

test('an empty variable counts as unset', () => {
  const set = { EVENT_NOW: '2025-09-12T08:00:00+07:00', DATA_DIR: join(root, 'data') }
  const { apiConfig, apiEnv } = read({ PORT: ' ', ...set })
  expect(apiConfig.port).toBe(3000)
  expect(apiEnv).toMatchObject(set)
})

test('site and API read the same variables', () => {
  const set = { SHARE_HOST: 'example.com', SITE: 'X', REGISTER_URL: 'https://r.example/' }
  const { config, apiEnv } = read(set)
  expect(config).toMatchObject({
    shareHost: 'example.com',
    site: 'X',
    registerUrl: 'https://r.example/',
  })
  expect(apiEnv).toMatchObject(set)
  // A record must equal the one that is read back from its file.
  expect(Object.values(config)).not.toContain(undefined)
})

test('all problems are listed at once, each one once', () => {
  const env = {
    PORT: 'abc',
    REGISTER_URL: 'nowhere',
    SHARE_HOST: 'http://x y',
    NODE_ENV: 'prod',
    SESSION_HOURS: '0',
    CONTROL_PORT: 'abc',
  }
  expect(() => read(env)).toThrow(
    /^Bad configuration: CONTROL_PORT [^;]*; SHARE_HOST [^;]*; REGISTER_URL [^;]*; NODE_ENV [^;]*; PORT [^;]*whole number[^;]*; SESSION_HOURS [^;]*$/,
  )
  for (const name of ['SITE_DRI', 'DEPLOY_ACESS', 'CONTROL_PROT', 'REGISTER_ULR', 'DEPLOY_WEBHOK'])
    expect(() => read({ [name]: 'x' })).toThrow(`${name} is not known: `)
  expect(() => read({ SITE_URL: 'x' })).not.toThrow()
  for (const name of ['PORT', 'CONTROL_PORT'])
    expect(() => read({ [name]: '70000' })).toThrow(RegExp(`^Bad configuration: ${name} [^;]*$`))
})

test('tests see none of the variables', async () => {
  const names = [...variableNames, ...variableNames.map((name) => `${name}_FILE`), ...OWN_VARIABLES]
  for (const name of names) process.env[name] = 'x'
  await import('@anniversary/build/clean-environment')
  expect(names.filter((name) => name in process.env)).toEqual([])
})

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['fd00::2', '[fd00::2]'],
  ['192.0.2.7', '192.0.2.7'],
])('what listens on %s is reached at %s', (host, reached) => {
  expect(reachableHost(host)).toBe(reached)
})
