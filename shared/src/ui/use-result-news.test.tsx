import { renderHook } from '@testing-library/react'
import type { DrawResult } from '../contract/host.ts'
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

test('news are told until the page shows them', async () => {
  jest.useFakeTimers()
  jest.spyOn(Math, 'random').mockReturnValue(0)
  const won = [{ draw: 1, prize: 'X', codes: [] }]
  const host = createFakeHost({
    api: { draws: async () => won },
    now: () => new Date('2025-09-09T20:30:00+07:00'),
  })
  const onNews = jest.fn(async () => undefined)
  const { rerender } = renderHook<void, readonly DrawResult[]>(
    (shown) => useResultNews(host, shown, onNews),
    { initialProps: [] },
  )
  await jest.advanceTimersByTimeAsync(150_000)
  expect(onNews).toHaveBeenCalledTimes(2)
  rerender(won)
  await jest.advanceTimersByTimeAsync(150_000)
  expect(onNews).toHaveBeenCalledTimes(2)
})

test('newer news are told once while older ones are still being handled', async () => {
  jest.useFakeTimers()
  jest.spyOn(Math, 'random').mockReturnValue(0)
  const draws = jest
    .fn(async () => [{ draw: 1, prize: 'Y', codes: [] }])
    .mockResolvedValueOnce([{ draw: 1, prize: 'X', codes: [] }])
  const host = createFakeHost({ api: { draws }, now: () => new Date('2025-09-09T20:30:00+07:00') })
  const onNews = jest.fn(() => new Promise((resolve) => setTimeout(resolve, 90_000)))
  renderHook(() => useResultNews(host, [], onNews))
  await jest.advanceTimersByTimeAsync(200_000)
  expect(draws).toHaveBeenCalledTimes(3)
  expect(onNews).toHaveBeenCalledTimes(2)
})
