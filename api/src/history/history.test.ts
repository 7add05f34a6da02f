import { afterAll, expect, test } from '@jest/globals'
import { startTestApi } from '../../test/test-api.ts'

const api = await startTestApi()
afterAll(() => api.close())

test('a claimed ticket is in the history, with its mission and time', async () => {
  const { account, token } = await api.addSession()
  await api.act(account, ['2025-08-11', 'deposit', 300])
  const code = (await api.claim(token, 'NAP_300')).body.data
  expect((await api.call({ url: '/api/client/history', token })).body.data).toEqual({
    code_details: [
      {
        event_code_detail: 'NAP_300',
        code,
        claimed_at: '2025-08-20T20:00:00+07:00',
        name: 'Tổng nạp 300 điểm',
        prizes: [],
      },
    ],
    last_draw: null,
    giftcode_trade: [],
  })
})
