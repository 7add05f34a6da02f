import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { newFolder } from '../../test/folder.ts'
import { readConfiguration } from './config.ts'

const folder = newFolder()

describe('the configuration', () => {
  test('has local defaults', () => {
    expect(readConfiguration({ PORT: '', UNKNOWN: 'x' })).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: '.data',
      demo: false,
      backofficeKey: [],
      site: 'ANNIVERSARY',
      shareHost: 'facebook.com',
    })
  })

  test('refuses one key for reports and for the back office', () => {
    const env = { BACKOFFICE_KEY: 'one,two', REPORTS_KEY: 'two' }
    expect(() => readConfiguration(env)).toThrow('REPORTS_KEY must differ from BACKOFFICE_KEY')
  })

  test('lists every problem at once', () => {
    const env = {
      PORT: '70000',
      DATABASE_URL: 'mysql://x',
      EVENT_NOW: 'yesterday',
      BACKOFFICE_KEY: 'a,b,c',
      LOGIN_PEPPER: 'short',
      SHARE_HOST: 'https://facebook.com',
      LOG_LEVEL: 'loud',
    }
    const problems = [
      expect.stringMatching(/^PORT must be/),
      expect.stringMatching(/^DATABASE_URL must start/),
      expect.stringMatching(/^EVENT_NOW must be a time such as/),
      expect.stringMatching(/^BACKOFFICE_KEY must be one key, or two/),
      expect.stringMatching(/^LOGIN_PEPPER must have at least 16/),
      expect.stringMatching(/^SHARE_HOST must be a host name such as facebook.com$/),
      expect.stringMatching(/^LOG_LEVEL /),
    ]
    expect(() => readConfiguration(env)).toThrow(expect.objectContaining({ problems }))
  })

  test.each([
    ['a pepper of the tests\n', {}, ''],
    ['a pepper of the tests', { LOGIN_PEPPER: 'another pepper' }, 'LOGIN_PEPPER_FILE are both set'],
    ['\n', {}, 'LOGIN_PEPPER_FILE is empty'],
    ['\0'.repeat(64), {}, 'LOGIN_PEPPER must be one line of text'],
    [undefined, {}, 'LOGIN_PEPPER_FILE cannot be read'],
  ])('takes a secret from a file that holds %j, beside %j', (content, env, problem) => {
    const LOGIN_PEPPER_FILE = join(folder, `pepper${content?.length}`)
    if (content !== undefined) writeFileSync(LOGIN_PEPPER_FILE, content)
    const read = () => readConfiguration({ ...env, LOGIN_PEPPER_FILE }).loginPepper
    if (problem) expect(read).toThrow(problem)
    else expect(read()).toBe('a pepper of the tests')
  })

  test("an empty file of the desk's tokens admits nobody", () => {
    const DESK_ACCESS_FILE = join(folder, 'desk-access')
    writeFileSync(DESK_ACCESS_FILE, '\n')
    expect(readConfiguration({ DESK_ACCESS_FILE }).deskAccess).toEqual([])
  })

  test.each([
    [
      { EVENT_NOWW: '2025-08-20T20:00:00+07:00' },
      'EVENT_NOWW is not known: EVENT_NOW was probably',
    ],
    [{ LOGIN_PEPER_FILE: '/x' }, 'LOGIN_PEPER_FILE is not known: LOGIN_PEPPER_FILE'],
    [{ TRUSTPROXY: '1' }, 'TRUSTPROXY is not known: TRUST_PROXY'],
    [{ DEMO: '1', NODE_ENV: 'production ', DATABASE_URL: 'postgres://a/b' }, 'DEMO adds members'],
    [{ DEMO: '1', NODE_ENV: 'prod' }, 'NODE_ENV must be production, development or test'],
  ])('refuses %j', (env, problem) => {
    expect(() => readConfiguration(env)).toThrow(problem)
  })

  test("takes other programs' variables", () => {
    const env = {
      HOSTNAME: 'a',
      POST: '1',
      SUITE: 'x',
      DATABASE_HOST: 'b',
      SITE_DIR: 'c',
      DEMO: '1',
    }
    expect(readConfiguration(env).demo).toBe(true)
  })

  test.each([
    ['2025-08-20T20:00:00+07:00', '2025-08-20T13:00:00.000Z'],
    ['2025-08-20T20:00:00', '2025-08-20T13:00:00.000Z'],
    [' 2025-08-20 20:00', '2025-08-20T13:00:00.000Z'],
    ['2025-08-20T13:00:00Z', '2025-08-20T13:00:00.000Z'],
  ])('the event starts at %s', (text, iso) => {
    expect(readConfiguration({ EVENT_NOW: text }).eventNow?.toISOString()).toBe(iso)
  })

  test.each([
    'a:5432,b:5432/event',
    'an:x,y@a,b/event',
    '/event?host=a,b',
    'a/event?target_session_attrs=read-write',
    'an:pass#word@a/event',
    'an:pass/word,x@a/event',
  ])('refuses a database at %s', (place) => {
    expect(() => readConfiguration({ DATABASE_URL: `postgres://${place}` })).toThrow(
      /^configuration: DATABASE_URL must be a URL of one server, .* follows the primary.* write # as %23/,
    )
  })
})
