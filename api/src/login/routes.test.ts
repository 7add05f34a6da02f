import { expect, test } from '@jest/globals'
import { startTestApi } from '../../test/test-api.ts'
import type { Queryable } from '../database/database.ts'
import { newMember, saveMembers } from './members.ts'

const api = await startTestApi()

// spec: login-answer
test('a login answers sign, username and the address flag', async () => {
  await api.addMember({ account: 'Nguyễn01' })
  const answer = await api.login('  NGUYỄN01 '.normalize('NFD'))
  const data = {
    required_address: false,
    sign: expect.stringMatching(/^[\w-]{43}$/),
    username: 'Nguyễn01',
  }
  expect([answer.status, answer.body]).toEqual([200, { status_code: 200, data }])
})

test('a login is read as an app or a keyboard leaves it', async () => {
  const account = await api.addMember({ account: 'demo-an.01' })
  for (const typed of ['\u200bdemo\u2011an.01', '"demo-an.01"', 'Tài khoản: demo-an.01,'])
    expect((await api.login(typed, '１２３４')).body.data.username).toBe(account)
})

// spec: login-refusals-look-alike
test('wrong digits, account and site get the same answer', async () => {
  const account = await api.addMember()
  const payload = { site: 'OTHER', username: account, lastBankNumber: '1234' }
  for (const { status, body } of [
    await api.login(account, '4321'),
    await api.login('nobody-of-that-name'),
    await api.call({ url: '/api/client/login', payload }),
  ]) {
    const message = 'Tài khoản hoặc mật khẩu không chính xác!'
    expect([status, body]).toEqual([200, { status_code: 4010, message, data: {} }])
  }
})

// spec: malformed-login
test.each([
  [{ username: 'ab', lastBankNumber: '1234' }, 'Tài khoản phải có ít nhất 3 ký tự'],
  [{ username: 'abc', lastBankNumber: '12a4' }, 'Vui lòng nhập đủ 4 số cuối'],
  [{ username: 'abc', lastBankNumber: 1234 }, 'Vui lòng nhập đủ 4 số cuối'],
])('malformed input %j is HTTP 400 with a message', async (fields, message) => {
  const payload = { site: api.config.site, ...fields }
  const answer = await api.call({ url: '/api/client/login', payload })
  expect(answer).toMatchObject({ status: 400, body: { status_code: 400, message, data: null } })
})

// spec: address-answer
test('a login that needs an address can save it', async () => {
  const account = await api.addMember({ addressRequired: true })
  const first = (await api.login(account)).body.data
  expect(first.required_address).toBe(true)
  const save = (fullname: string) =>
    api.call({
      url: '/api/client/update-info',
      token: first.sign,
      payload: { fullname, phone_number: '0900', address: '1 Lê Lợi' },
    })
  for (const invisible of [' ', '\u200b', '\u2800\u3164'])
    expect(await save(invisible)).toMatchObject({
      status: 400,
      body: { message: 'Vui lòng nhập họ và tên' },
    })
  const saved = await save('Nguyễn An')
  expect(saved.body).toEqual({ status_code: 200, data: true })
  expect((await api.login(account)).body.data.required_address).toBe(false)
})

test('a login during an import of new digits gets no session', async () => {
  const account = await api.addMember()
  const saveDigits = (tx: Queryable, digits: string) =>
    saveMembers(tx, [newMember(api.loginKeys, account, digits)])
  const query = async <Row>(...call: Parameters<typeof api.database.query>) => {
    if (call[0].text.includes('INSERT INTO session'))
      await api.database.transaction((tx) => saveDigits(tx, '4321'))
    return api.database.query<Row>(...call)
  }
  const importing = await startTestApi({ database: { ...api.database, query } })
  expect((await importing.login(account)).body).toMatchObject({ status_code: 4010, data: {} })
  expect((await importing.login(account, '4321')).status).toBe(200)

  const [login] = await api.during(
    (tx) => saveDigits(tx, '5678'),
    () => [api.login(account, '4321')],
  )
  expect(login?.body).toMatchObject({ status_code: 4010, data: {} })
})

const isAlive = async (token: string) => (await api.list(token)).status === 200

test('a logout ends only its own session', async () => {
  const { account, token } = await api.addSession()
  const other = (await api.login(account)).body.data.sign
  const logout = () => api.call({ method: 'POST', url: '/api/client/logout', token })
  for (let i = 0; i < 2; i++)
    expect((await logout()).body).toEqual({ status_code: 200, data: true })
  expect([await isAlive(token), await isAlive(other)]).toEqual([false, true])
})

test('the sixth session ends the oldest one', async () => {
  const { account, token: first } = await api.addSession()
  const { token: other } = await api.addSession()
  const logins = await Promise.all(Array.from({ length: 16 }, () => api.login(account)))
  expect(logins.map(({ status }) => status)).toEqual(Array(16).fill(200))
  await api.login(account)
  const count =
    'SELECT count(*)::int AS n FROM session JOIN member m ON m.id = member_id WHERE account = $1'
  expect(await api.sql(count, [account])).toEqual([{ n: 5 }])
  expect([await isAlive(first), await isAlive(other)]).toEqual([false, true])
})

// spec: bearer-header
test('a token is also read as bearer and expires', async () => {
  const { token } = await api.addSession()
  const info = () =>
    api.call({ url: '/api/client/info', headers: { authorization: `Bearer ${token}` } })
  expect((await info()).status).toBe(200)
  await api.sql(`UPDATE session SET expires_at = now() - interval '1 second'`)
  expect((await info()).status).toBe(401)
})
