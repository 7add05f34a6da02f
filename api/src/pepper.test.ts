import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { newDatabase } from '../test/database.ts'
import { newFolder } from '../test/folder.ts'
import { cookieOf, startTestApi, type TestApi } from '../test/test-api.ts'
import { readConfig } from './config.ts'
import type { Database } from './database/database.ts'
import { checkPeppers, countUnknownHashes, loadPeppers, rotatePepper } from './pepper.ts'
import { newMember, saveMembers } from './repositories/members.ts'
import type { Peppers } from './rules/credentials.ts'

const [FIRST, SECOND, THIRD] = ['the first pepper', 'the second pepper', 'the third pepper']

describe('a login pepper', () => {
  let database: Database
  let apis: TestApi[]
  beforeEach(async () => {
    database = await newDatabase()
    apis = []
  })
  /** A server on the same database, with these peppers. */
  const start = async (...peppers: Peppers) => {
    await checkPeppers(database, peppers)
    const api = await startTestApi({ database, peppers })
    apis.push(api)
    return api
  }
  afterEach(async () => {
    await Promise.all(apis.map(({ app }) => app.close()))
    await database.close()
  })

  test('is replaced member by member: at the next login, behind which the former one can be left out', async () => {
    const before = await start(FIRST)
    const account = await before.addMember()
    const later = await before.addMember()
    const cookie = cookieOf(await before.login(account))

    const between = await start(SECOND, FIRST)
    await expect(checkPeppers(database, [SECOND])).rejects.toThrow(
      'LOGIN_PEPPER was replaced, and members have not logged in since: 2; keep the former one behind the new one, or import them again',
    )
    expect((await between.login(account, '0000')).body.data).toEqual({})
    const answer = await between.login(account, '1234', { headers: { cookie } })
    expect(answer.body.data.sign).toBeTruthy()
    const renewed = cookieOf(answer)
    expect(renewed.split('.')[0]).toBe(cookie.split('.')[0])
    expect(renewed).not.toBe(cookie)
    expect(await countUnknownHashes(database, [SECOND])).toBe(1)
    await expect(checkPeppers(database, [THIRD, SECOND])).rejects.toThrow('not logged in since: 1;')
    await between.login(later)

    const after = await start(SECOND)
    expect((await after.login(account)).body.data.sign).toBeTruthy()
    await expect(checkPeppers(database, [FIRST])).rejects.toThrow(
      'this database was filled with another LOGIN_PEPPER; set the one it was filled with',
    )
  })

  test('is replaced by an import too: the same digits log nobody out, new ones do', async () => {
    const before = await start(FIRST)
    const [same, changed] = [await before.addSession(), await before.addSession()]
    await start(SECOND, FIRST)
    await saveMembers(database, [
      newMember([SECOND, FIRST], same.account, '1234'),
      newMember([SECOND, FIRST], changed.account, '5678'),
    ])
    const status = async (token: string) => (await before.call({ url: '/api/client/info', token })).status
    expect(await status(same.token)).toBe(200)
    expect(await status(changed.token)).toBe(401)
    await checkPeppers(database, [SECOND])
  })

  test('may go back while it is being replaced', async () => {
    const before = await start(FIRST)
    const account = await before.addMember()
    await (await start(SECOND, FIRST)).login(account)
    const back = await start(FIRST, SECOND)
    await back.login(account)
    await checkPeppers(database, [FIRST])
  })
})

describe('the pepper of the data folder', () => {
  const folder = newFolder()

  test('is replaced by one command, which refuses a second time as long as members wait', async () => {
    const config = readConfig({ DATA_DIR: folder })
    const [first] = loadPeppers(config)
    const database = await newDatabase()
    await checkPeppers(database, [first])
    const api = await startTestApi({ database, peppers: [first] })
    await api.addMember()
    await rotatePepper(database, config)
    const [second, former] = loadPeppers(config)
    expect(former).toBe(first)
    expect(second).toMatch(/^[0-9a-f]{64}$/)
    expect(statSync(join(folder, 'login-pepper')).mode & 0o777).toBe(0o600)
    await expect(rotatePepper(database, config)).rejects.toThrow('not logged in since the last rotation: 1;')
    await api.close()
  })

  test('is not ours to replace when it is in the environment', async () => {
    const config = readConfig({ DATA_DIR: folder, LOGIN_PEPPER: FIRST })
    const untouched = { query: () => Promise.reject(new Error('the database is not asked')) }
    await expect(rotatePepper(untouched, config)).rejects.toThrow('LOGIN_PEPPER=NEW,OLD')
  })
})
