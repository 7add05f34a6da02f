import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import { createFakeHost, type FakeHostOptions } from '../testing/fake-host.ts'
import { Countdown } from './Countdown.tsx'
import { useEventMoments } from './use-event-time.ts'

beforeEach(() => void jest.useFakeTimers())

const pass = (ms: number) => act(() => jest.advanceTimersByTime(ms))

/** Shows the clock at a time of the event, which is not the browser's. */
function open(eventTime: string, config: FakeHostOptions['config'] = {}) {
  const ahead = Date.parse(eventTime) - Date.now()
  const host = createFakeHost({ now: () => new Date(Date.now() + ahead), config })
  const onMoment = jest.fn()
  renderHook(() => useEventMoments(host.clock, true, onMoment))
  render(<Countdown host={host}>over</Countdown>)
  return onMoment
}

test("the countdown follows the event's clock in full seconds", () => {
  open('2025-09-05T23:59:57.400+07:00')
  const timer = screen.getByRole('timer', { name: 'Giai đoạn 1 kết thúc sau' })
  expect(timer).toHaveTextContent('01 ngày00 giờ00 phút03 giây')
  pass(600)
  expect(timer).toHaveTextContent('01 ngày00 giờ00 phút02 giây')
  pass(3000)
  expect(timer).toHaveTextContent(/^23 giờ59 phút59 giây$/)
})

test('the countdown moves on and reports the moment once within 25 seconds', () => {
  jest.spyOn(Math, 'random').mockReturnValue(0.99)
  const onMoment = open('2025-09-06T23:59:58+07:00')
  pass(2000)
  expect(screen.getByRole('timer', { name: 'Quay thưởng lần 1 bắt đầu sau' })).toBeVisible()
  pass(24_000)
  expect(onMoment).not.toHaveBeenCalled()
  pass(1000)
  expect(onMoment).toHaveBeenCalledTimes(1)
})

test('a draw shows a link, after the last one the event is over', () => {
  const onMoment = open('2025-09-29T21:59:59+07:00')
  expect(screen.getByRole('timer', { name: 'Đang quay thưởng lần 3, kết thúc sau' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Xem trực tiếp' })).toHaveAttribute('href', '/megalive')
  pass(1000)
  expect(screen.queryByRole('timer')).toBeNull()
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.getByText('over')).toBeVisible()
  pass(26_000)
  expect(onMoment).toHaveBeenCalledTimes(1)
})

test('the last ten minutes look different, and the live show may be on another site', () => {
  open('2025-09-09T21:49:59+07:00', { liveUrl: 'https://live.example/show' })
  const countdown = screen.getByRole('timer').parentElement
  expect(countdown).not.toHaveAttribute('data-near')
  pass(2000)
  expect(countdown).toHaveAttribute('data-near')
  expect(screen.getByRole('link')).toHaveAttribute('href', 'https://live.example/show')
})

test('an unmounted countdown leaves no timer', () => {
  open('2025-09-05T12:00:00+07:00')
  cleanup()
  expect(jest.getTimerCount()).toBe(0)
})
