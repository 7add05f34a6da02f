import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { newDatabaseUrl } from '../../test/database.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const url = await newDatabaseUrl()

describe('npm run event', () => {
  const event = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((done) => {
      const env = {
        ...process.env,
        NODE_OPTIONS: '',
        DATABASE_URL: url,
        LOGIN_PEPPER: 'a pepper of the tests',
        OPERATOR: 'an',
      }
      const child = execFile(
        process.execPath,
        ['--import', 'tsx', 'api/src/cli/event.ts', ...args],
        { cwd: root, env },
        (_error, out, err) => done({ code: child.exitCode ?? -1, out, err }),
      )
    })

  test.each<[exit: number, args: string[], out: RegExp, err: RegExp]>([
    [0, ['void', '--help'], /Usage: event void \[options\] <code>(.*\n)*.*--reason <text>/, /^$/],
    [2, ['ban', 'an01'], /^$/, /required option '--reason <text>' not specified/],
    [1, ['ban', 'nobody', '--reason', 'x'], /^$/, /^no member is called nobody\n$/],
    [
      1,
      ['restore', '/nowhere'],
      /^$/,
      /^nothing was changed: \/nowhere cannot be restored: there is no such file\n$/,
    ],
    [
      0,
      ['audit'],
      /an {2}restore \/nowhere {2}\{"failed":"nothing was changed.*\n.*an {2}restore \/nowhere {2}\{"begins":true\}\n$/,
      /^$/,
    ],
  ])('ends with %s: %j', async (code, args, out, err) => {
    const ended = await event(...args)
    expect(ended.err).toMatch(err)
    expect(ended.out).toMatch(out)
    expect(ended.code).toBe(code)
  })
})
