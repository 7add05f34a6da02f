import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { BUSY, startTestApi } from '../../test/test-api.ts'
import { countTraffic, type Traffic } from './pressure.ts'

describe('the expected wait', () => {
  let time: number
  let traffic: Traffic
  beforeAll(() => {
    time = 0
    traffic = countTraffic(() => time)
  })
  const begin = (calls: number) => {
    for (let i = 0; i < calls; i++) traffic.begin()
  }
  /** Answers come and as many calls follow. */
  const answer = (calls: number, msEach: number) => {
    for (let i = 0; i < calls; i++) {
      time += msEach
      traffic.end()
      traffic.begin()
    }
  }

  test('is none for a few calls, however slow they are', () => {
    begin(50)
    answer(200, 1000)
    expect(traffic.expectedWait()).toBe(0)
  })

  test('is none for a crowd that has just come', () => {
    begin(950)
    answer(50, 1)
    expect(traffic.expectedWait()).toBe(0)
  })

  test('follows the rate of answers, and forgets an old one', () => {
    answer(2000, 1)
    expect(traffic.expectedWait()).toBeCloseTo(1000, -2)
    answer(60_000, 5)
    expect(traffic.expectedWait()).toBeCloseTo(5000, -2)
  })

  test('hardly changes by a second in which nothing ran', () => {
    answer(60_000, 1)
    const before = traffic.expectedWait()
    time += 1000
    expect(traffic.expectedWait() - before).toBeLessThan(600)
  })
})

const traffic = countTraffic()
const api = await startTestApi({ traffic })
afterAll(() => api.close())

describe('a server under pressure', () => {
  const info = () => api.call({ url: '/api/client/info' })

  test('refuses what is too much with retry-after, but says that it lives', async () => {
    for (let i = 0; i < 2000; i++) traffic.begin()
    const refused = await info()
    expect(refused).toMatchObject(BUSY)
    expect(refused.headers['retry-after']).toBe('2')
    expect((await api.call({ url: '/livez' })).status).toBe(200)
    for (let i = 0; i < 2000; i++) traffic.end()
    expect((await info()).status).toBe(401)
    expect(traffic.inFlight).toBe(0)
  })

  test('names the expected wait when calls are answered too slowly', async () => {
    const slow = countTraffic(() => 0)
    slow.expectedWait = () => 17_300
    const other = await startTestApi({ traffic: slow })
    const refused = await other.call({ url: '/api/client/info' })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '18'])
    await other.close()
  })
})
