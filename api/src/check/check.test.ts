import { expect, test } from '@jest/globals'
import { startTestApi } from '../../test/test-api.ts'

const api = await startTestApi({ env: { TRUST_PROXY: '1' } })

const check = async (by: string, value: string, site?: string) =>
  (await api.check(by, value, site)).body
test('a code is found in any spelling, without its owner', async () => {
  const { codes } = await api.addHolder()
  const ticket = { stage: 1, mission: 'Tổng nạp 300 điểm', claimed_at: '2025-08-20T20:00:00+07:00' }
  const found = { status_code: 200, data: { by: 'code', valid: true, ...ticket, lists: [] } }
  expect(await check('code', codes[0])).toEqual(found)
  await api.sql("UPDATE ticket SET code = 'A51C-20QB-17CB' WHERE code = $1", [codes[0]])
  expect(await check('code', ' a5lc 2oqbi7cb ')).toEqual(found)
})

test('an account is found as it is written, and else without what an app added', async () => {
  const held = await api.addHolder({ account: 'le-an07' })
  const tickets = async (value: string) => (await check('username', value)).data.stages[0].tickets
  expect(await tickets(held.account)).toBe(2)
  expect(await tickets('\u200b“le–an07”,')).toBe(2)
  await api.addMember({ account: 'le–an07' })
  expect(await tickets('le–an07')).toBe(0)
})

test.each(['0000-0000-0000', '0000-0000-00000', 'U000-0000-0000', "' OR 1=1 --"])(
  'by the code %j finds nothing',
  async (value) => {
    expect(await check('code', value)).toEqual({
      status_code: 200,
      data: { by: 'code', valid: false },
    })
  },
)

test('an account is answered with numbers of tickets only', async () => {
  const { account } = await api.addHolder()
  const stages = (tickets: number) => ({
    status_code: 200,
    data: { by: 'username', stages: [tickets, 0, 0].map((n, i) => ({ stage: i + 1, tickets: n })) },
  })
  expect(await check('username', account.toUpperCase())).toEqual(stages(2))
  expect(await check('username', await api.addMember())).toEqual(stages(0))
  expect(await check('username', 'nobody-here')).toEqual(stages(0))
  expect(await check('username', account, 'OTHER')).toEqual(stages(0))
})

test('600 searches a minute from one address of a carrier are answered, no more', async () => {
  const headers = { 'x-forwarded-for': '10.0.0.1' }
  const payload = { site: 'x', by: 'code', value: 'x' }
  const answers = await Promise.all(
    Array.from({ length: 603 }, () => api.call({ url: '/api/client/check', payload, headers })),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(3)
  expect(refused[0]?.headers['retry-after']).toMatch(/^[1-6]?\d$/)
  expect((await api.check('code', 'x')).status).toBe(200)
})
