import { beforeEach, expect, test } from '@jest/globals'
import { cookieOf } from '../../test/caller.ts'
import { startTestApi } from '../../test/test-api.ts'
import { sweepExpiredLogins } from './login-guard.ts'

const api = await startTestApi({ env: { TRUST_PROXY: '1' } })

beforeEach(() => api.sql('DELETE FROM rate_limit'))

const from = (address: string, cookie?: string) => ({
  headers: { 'x-forwarded-for': address, ...(cookie && { cookie }) },
})
const unlock = () =>
  api.sql(`UPDATE login_attempt SET locked_until = now() WHERE locked_until IS NOT NULL`)
async function attemptOf(account: string) {
  const [row] = await api.sql<{ attempts: number; seconds: number | null }>(
    `SELECT attempts, extract(epoch FROM locked_until - updated_at)::int AS seconds
     FROM login_attempt WHERE key = 'account:' || $1`,
    [account],
  )
  return row
}

test('the sixth failure locks for a minute, further ones double it', async () => {
  const account = await api.addMember()
  for (let i = 0; i < 5; i++) await api.login(account, '0000')
  expect(await attemptOf(account)).toEqual({ attempts: 5, seconds: null })
  const minutes: unknown[] = []
  for (let i = 0; i < 13; i++) {
    await unlock()
    await api.login(account, '0000')
    minutes.push(Number((await attemptOf(account))?.seconds) / 60)
  }
  expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440])
})

test('a locked account looks like an unknown one', async () => {
  const account = await api.addMember()
  for (let i = 0; i < 6; i++) await api.login(account, '0000')
  const locked = await api.login(account, '1234')
  expect(locked.status).toBe(200)
  expect(locked.body).toEqual((await api.login('no-such-account')).body)
  await unlock()
  expect((await api.login(account, '1234')).body.data.sign).toBeTruthy()
})

test('spellings of an account count as one, whether or not it exists', async () => {
  for (const account of [await api.addMember(), 'no-such-member']) {
    for (const typed of [account, `"${account}"`, `tk: ${account},`]) await api.login(typed, '0000')
    expect(await attemptOf(account)).toMatchObject({ attempts: 3 })
  }
})

test('a successful login clears earlier failures', async () => {
  const account = await api.addMember()
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 4; i++) await api.login(account, '0000')
    expect((await api.login(account, '1234')).body.data.sign).toBeTruthy()
  }
})

test('failures expire after a week without any', async () => {
  const account = await api.addMember()
  const age = (days: number) =>
    api.sql(`UPDATE login_attempt SET updated_at = now() - make_interval(days => $1)`, [days])
  await api.login(account, '0000')
  await age(6)
  await sweepExpiredLogins(api.database)
  expect(await attemptOf(account)).toMatchObject({ attempts: 1 })
  await age(7)
  await sweepExpiredLogins(api.database)
  expect(await attemptOf(account)).toBeUndefined()
})

test('six of sixty parallel guesses are counted', async () => {
  const account = await api.addMember()
  await Promise.all(
    Array.from({ length: 60 }, (_, i) => api.login(account, '0000', from(`10.0.0.${i}`))),
  )
  expect(await attemptOf(account)).toMatchObject({ attempts: 6 })
})

test('failures elsewhere do not lock out a known device', async () => {
  const account = await api.addMember()
  const first = await api.login(account)
  expect(first.headers['set-cookie']).toMatch(/; HttpOnly; SameSite=Strict$/)
  const cookie = cookieOf(first)
  for (let i = 0; i < 8; i++) await api.login(account, '0000', from('10.1.0.1'))
  expect((await api.login(account, '1234', from('10.1.0.2'))).body.data).toEqual({})
  expect((await api.login(account, '1234', from('10.1.0.3', cookie))).body.data.sign).toBeTruthy()

  for (let i = 0; i < 6; i++) await api.login(account, '0000', from('10.1.0.3', cookie))
  expect((await api.login(account, '1234', from('10.1.0.3', cookie))).body.data).toEqual({})
})

test('an address waits after failing at thirty accounts', async () => {
  const accounts = Array.from({ length: 100 }, (_, i) => `unknown${i}`)
  const peer = from('2001:db8:1:2::1')
  const answers = await Promise.all(accounts.map((account) => api.login(account, '0000', peer)))
  const refused = answers.filter((answer) => answer.status === 429)
  expect(refused).toHaveLength(70)
  expect(refused[0]?.headers['retry-after']).toMatch(/^[1-6]?\d$/)
  const message = 'Hệ thống đang nhận quá nhiều yêu cầu. Vui lòng thử lại sau 1 phút!'
  expect(refused[0]?.body).toEqual({ status_code: 429, message, data: null })
  const counted = `SELECT FROM login_attempt WHERE key LIKE 'account:unknown%'`
  expect(await api.sql(counted)).toHaveLength(30)
  // Addresses of one /64 share a limit.
  expect((await api.login('unknown', '0000', from('2001:db8:1:2:ffff::9'))).status).toBe(429)
  expect((await api.login('unknown', '0000', from('2001:db8:1:3::1'))).status).toBe(200)
})

async function spray(address: string, accounts: number) {
  for (let i = 0; i < accounts; i++) await api.login(`sprayed${i}`, '0000', from(address))
}

test('failures at one account do not limit its address', async () => {
  const [attacked, member] = [await api.addMember(), await api.addMember()]
  for (let i = 0; i < 40; i++) await api.login(attacked, '0000', from('10.4.0.1'))
  expect((await api.login(member, '1234', from('10.4.0.1'))).body.data.sign).toBeTruthy()
})

test('a known device logs in from a limited address', async () => {
  const [known, other] = [await api.addMember(), await api.addMember()]
  const cookie = cookieOf(await api.login(known))
  await spray('10.5.0.1', 30)
  expect((await api.login(known, '1234', from('10.5.0.1', cookie))).body.data.sign).toBeTruthy()
  expect((await api.login(other, '1234', from('10.5.0.1'))).status).toBe(429)
})

test('a failure before a login costs the address nothing', async () => {
  for (let i = 0; i < 35; i++) {
    const account = await api.addMember()
    await api.login(account, '0000', from('10.6.0.1'))
    expect((await api.login(account, '1234', from('10.6.0.1'))).body.data.sign).toBeTruthy()
  }
})

test('correct digits of a locked account count as a failure', async () => {
  const account = await api.addMember()
  for (let i = 0; i < 6; i++) await api.login(account, '0000', from('10.7.0.1'))
  await spray('10.7.0.2', 29)
  expect((await api.login(account, '1234', from('10.7.0.2'))).body.data).toEqual({})
  expect((await api.login('one more', '0000', from('10.7.0.2'))).status).toBe(429)
})

test('an IPv6 /48 waits after failing at 300 accounts', async () => {
  await spray('2001:db8:77:1::1', 2)
  const owed = `SELECT extract(epoch FROM tat - now()) AS seconds FROM rate_limit WHERE key = 'login:2001:db8:77::/48'`
  const [{ seconds } = { seconds: 0 }] = await api.sql<{ seconds: number }>(owed)
  expect(Number(seconds)).toBeGreaterThan(0)
  expect(Number(seconds)).toBeLessThanOrEqual((2 * 1800) / 300)
  await api.sql(`UPDATE rate_limit SET tat = now() + interval '30 minutes' WHERE key LIKE '%/48'`)
  expect((await api.login('unknown', '0000', from('2001:db8:77:ffff::1'))).status).toBe(429)
  expect((await api.login('unknown', '0000', from('2001:db8:78::1'))).status).toBe(200)
})

test('all addresses together are limited and counted', async () => {
  await api.sql(`INSERT INTO rate_limit VALUES ('login:everybody', now() + interval '30 minutes')`)
  expect((await api.login('unknown', '0000', from('10.8.0.1'))).status).toBe(429)
  expect(await api.metrics()).toContain('logins_total{result="throttled"} 1')
})

test('a clock that was a day ahead locks nobody for a day', async () => {
  const account = await api.addMember()
  await api.login(account, '0000', from('10.9.0.1'))
  await spray('10.9.0.1', 31)
  await api.sql(`UPDATE rate_limit SET tat = tat + interval '1 day'`)
  await api.sql(
    `UPDATE login_attempt SET locked_until = now() + interval '2 days', attempts = 6 WHERE key = $1`,
    [`account:${account}`],
  )
  expect((await api.login(account, '1234', from('10.9.0.1'))).body.data.sign).toBeTruthy()
  expect((await api.login('unknown', '0000', from('10.9.0.1'))).status).toBe(200)
})
