import { renderHook } from '@testing-library/react'
import { createFakeHost } from '../testing/fake-host.ts'
import { useResultNews } from './use-result-news.ts'

test.each([
  ['do not ask in the seconds after a stage has begun', '2025-09-10T00:00:04+07:00', 0],
  ['ask on the day after a draw', '2025-09-10T00:00:06+07:00', 1],
])('pages %s', async (_what, now, times) => {
  jest.useFakeTimers()
  jest.spyOn(Math, 'random').mockReturnValue(0)
  const draws = jest.fn(async () => [])
  const host = createFakeHost({ api: { draws }, now: () => new Date(now) })
  renderHook(() => useResultNews(host, [], async () => true))
  await jest.advanceTimersByTimeAsync(60_000)
  expect(draws).toHaveBeenCalledTimes(times)
})

test('news that the page could not load are told again, and then no more', async () => {
  jest.useFakeTimers()
  jest.spyOn(Math, 'random').mockReturnValue(0)
  const host = createFakeHost({
    api: { draws: async () => [{ draw: 1, prize: 'X', codes: [] }] },
    now: () => new Date('2025-09-09T20:30:00+07:00'),
  })
  const onNews = jest.fn(async () => true).mockResolvedValueOnce(false)
  renderHook(() => useResultNews(host, [], onNews))
  await jest.advanceTimersByTimeAsync(5 * 60_000)
  expect(onNews).toHaveBeenCalledTimes(2)
})
