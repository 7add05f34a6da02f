import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { newDatabaseUrl } from '../../test/database.ts'
import { newFolder } from '../../test/folder.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const url = await newDatabaseUrl()
const allRefused = join(newFolder(), 'members.csv')
writeFileSync(allRefused, 'username,last_bank_number\nan01,12\n')

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
        ['--import', 'tsx', 'api/src/operator/event.ts', ...args],
        { cwd: root, env },
        (_error, out, err) => done({ code: child.exitCode ?? -1, out, err }),
      )
    })

  test.each<[exit: number, args: string[], out: RegExp, err: RegExp]>([
    [0, ['void', '--help'], /Usage: event void \[options\] <code>(.*\n)*.*--reason <text>/, /^$/],
    [2, ['ban', 'an01'], /^$/, /required option '--reason <text>' not specified/],
    [1, ['ban', 'nobody', '--reason', 'x'], /^$/, /^no member is called nobody\n$/],
    [1, ['import', 'members', '/nowhere'], /^$/, /^there is no file \/nowhere\n$/],
    [
      0,
      ['audit'],
      /an {2}import members \/nowhere {2}\{"failed":"there is no file.*\n.*an {2}import members \/nowhere {2}\{"begins":true\}\n$/,
      /^$/,
    ],
    [1, ['import', 'members', allRefused], /^1 lines: 0 imported, 0 known already, 1 refused\n/, /^$/],
  ])('ends with %s: %j', async (code, args, out, err) => {
    const ended = await event(...args)
    expect(ended.err).toMatch(err)
    expect(ended.out).toMatch(out)
    expect(ended.code).toBe(code)
  })
})
