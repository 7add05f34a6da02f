import { describe, expect, test } from '@jest/globals'
import { readConfig } from './config.ts'

describe('the configuration', () => {
  test('of an empty environment is the local one', () => {
    expect(readConfig({ PORT: '', UNKNOWN: 'x' })).toMatchObject({
      port: 3000,
      dataDir: '.data',
      demo: false,
      backofficeKey: [],
      site: 'ANNIVERSARY',
      shareHost: 'facebook.com',
    })
  })

  test('tells every problem at once', () => {
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
    expect(() => readConfig(env)).toThrow(expect.objectContaining({ problems }))
  })

  test.each([
    ['2025-08-20T20:00:00+07:00', '2025-08-20T13:00:00.000Z'],
    ['2025-08-20T20:00:00', '2025-08-20T13:00:00.000Z'],
    [' 2025-08-20 20:00', '2025-08-20T13:00:00.000Z'],
    ['2025-08-20T13:00:00Z', '2025-08-20T13:00:00.000Z'],
  ])('the event starts at %s', (text, iso) => {
    expect(readConfig({ EVENT_NOW: text }).eventNow?.toISOString()).toBe(iso)
  })

  test.each([
    'a:5432,b:5432/event',
    'an:x,y@a,b/event',
    '/event?host=a,b',
    'a/event?target_session_attrs=read-write',
    'an:pass#word@a/event',
    'an:pass/word,x@a/event',
  ])('refuses a database at %s', (place) => {
    expect(() => readConfig({ DATABASE_URL: `postgres://${place}` })).toThrow(
      /^configuration: DATABASE_URL must be a URL of one server, .* follows the primary.* write # as %23/,
    )
  })
})
