import { afterAll, beforeEach, describe, expect, test } from '@jest/globals'
import { startTestApi } from '../../test/test-api.ts'

const api = await startTestApi({ env: { TRUST_PROXY: '1' } })
afterAll(() => api.close())

describe('tickets seen from outside', () => {
  beforeEach(() => api.setNow('2025-08-20T20:00:00+07:00'))

  const check = async (by: string, value: string, site?: string) => (await api.check(by, value, site)).body
  const trade = async (token: string) => (await api.trade(token)).body
  describe('check', () => {
    test('by code tells stage, mission, time and a masked owner, however it is typed', async () => {
      const { codes } = await api.addHolder({ account: 'nguyen0201' })
      const found = {
        status_code: 200,
        data: {
          by: 'code',
          valid: true,
          stage: 1,
          mission: 'Tổng nạp 300 điểm',
          claimed_at: '2025-08-20T20:00:00+07:00',
          owner: 'ng***01',
        },
      }
      expect(await check('code', codes[0])).toEqual(found)
      expect(await check('code', ` ${codes[0].toLowerCase().replaceAll('-', '')} `)).toEqual(found)
    })

    test.each(['0000-0000-0000', '0000-0000-0001', 'x', "' OR 1=1 --"])(
      'by the code %j finds nothing',
      async (value) => {
        expect(await check('code', value)).toEqual({ status_code: 200, data: { by: 'code', valid: false } })
      },
    )

    test('by account tells numbers, no codes; an unknown account looks like one without tickets', async () => {
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

    test('is limited by address', async () => {
      const headers = { 'x-forwarded-for': '10.0.0.1' }
      const payload = { site: 'x', by: 'code', value: 'x' }
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => api.call({ url: '/api/client/check', payload, headers })),
      )
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused).toHaveLength(10)
      expect(refused[0]?.headers['retry-after']).toMatch(/^[1-6]?\d$/)
      expect((await api.check('code', 'x')).status).toBe(200)
    })

    test('by nothing is malformed', async () => {
      expect((await api.check('code', '  ')).status).toBe(400)
    })
  })

  describe('trade', () => {
    // spec: exchange-once
    test('exchanges winning tickets once, however often and however many at a time', async () => {
      const { token, codes } = await api.addHolder()
      expect(await trade(token)).toEqual({ status_code: 200, data: [] })
      await api.win(codes[0])
      await api.win(codes[1], { giftcode: null })
      const answers = await Promise.all(Array.from({ length: 10 }, () => trade(token)))
      const traded = { giftcode: `G-${codes[0]}`, traded_at: '2025-08-20T20:00:00+07:00' }
      expect(answers.flatMap((a) => a.data)).toEqual([traded])
      expect((await api.call({ url: '/api/client/history', token })).body.data.giftcode_trade).toEqual([
        traded,
      ])
    })

    // spec: exchange-deadline
    test('is too late a month after the draw', async () => {
      const { token, codes } = await api.addHolder()
      await api.win(codes[0])
      api.setNow('2025-10-09T22:00:01+07:00')
      expect((await trade(token)).data).toEqual([])
      api.setNow('2025-10-09T22:00:00+07:00')
      expect((await trade(token)).data).toHaveLength(1)
    })

    test("does not touch another member's ticket, and needs a session", async () => {
      const [winner, other] = [await api.addHolder(), await api.addSession()]
      await api.win(winner.codes[0], { draw: 2 })
      expect((await trade(other.token)).data).toEqual([])
      expect((await trade('dead')).status_code).toBe(401)
      expect((await trade(winner.token)).data).toHaveLength(1)
    })
  })
})
