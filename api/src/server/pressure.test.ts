import { afterAll, expect, test } from '@jest/globals'
import { BUSY, startTestApi } from '../../test/test-api.ts'
import { MOST_IN_FLIGHT } from './pressure.ts'

const traffic = { inFlight: 0, draining: false }
const api = await startTestApi({ traffic })
afterAll(() => api.close())

test('a server with too many calls refuses more with retry-after, but says that it lives', async () => {
  const info = () => api.call({ url: '/api/client/info' })
  traffic.inFlight = MOST_IN_FLIGHT
  const refused = await info()
  expect(refused).toMatchObject(BUSY)
  expect(refused.headers['retry-after']).toBe('2')
  expect((await api.call({ url: '/livez' })).status).toBe(200)
  traffic.inFlight -= MOST_IN_FLIGHT
  expect((await info()).status).toBe(401)
  expect(traffic.inFlight).toBe(0)
})
