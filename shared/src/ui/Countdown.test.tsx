import { act, render, screen } from '@testing-library/react'
import { Countdown } from './Countdown.tsx'

const target = new Date('2025-09-06T23:59:59+07:00')

afterEach(() => jest.useRealTimers())

test('counts down by the clock it is given, then says that it is over', () => {
  jest.useFakeTimers({ now: new Date('2025-01-01T00:00:00Z') })
  const skew = target.getTime() - 90_061_000 - Date.now()
  const now = () => new Date(Date.now() + skew)
  render(<Countdown now={now} target={target} label="Giai đoạn 1 kết thúc sau" ended="Đã kết thúc" />)
  const timer = screen.getByRole('timer', { name: 'Giai đoạn 1 kết thúc sau' })
  expect(timer).toHaveTextContent('01 ngày01 giờ01 phút01 giây')
  act(() => jest.advanceTimersByTime(2000))
  expect(timer).toHaveTextContent('01 ngày01 giờ00 phút59 giây')
  act(() => jest.advanceTimersByTime(90_059_000))
  expect(screen.queryByRole('timer')).not.toBeInTheDocument()
  expect(screen.getByText('Đã kết thúc')).toBeVisible()
})

test('is over from the start when the target has passed', () => {
  render(<Countdown now={() => target} target={target} label="Còn lại" ended="Đã kết thúc" />)
  expect(screen.getByText('Đã kết thúc')).toBeVisible()
})
