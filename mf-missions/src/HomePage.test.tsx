import { installDialog } from '@anniversary/shared/testing/dialog'
import { createFakeHost, type FakeHostOptions } from '@anniversary/shared/testing/fake-host'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { missionApi } from './fixtures.ts'
import HomePage from './HomePage.tsx'

beforeAll(installDialog)
beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime })

async function open(options: FakeHostOptions = {}) {
  const host = createFakeHost({ api: missionApi(), ...options })
  const page = render(<HomePage host={host} />)
  await act(() => jest.advanceTimersByTimeAsync(0))
  return { host, ...page }
}

const card = (name: string) => {
  const found = screen.getByRole('heading', { name }).closest('li')
  if (!found) throw new Error(`no card named ${name}`)
  return within(found)
}

test('a claim goes after one second, shows its code, and closing it refreshes the list', async () => {
  const { host } = await open()
  await user.click(card('Tổng nạp 300 điểm').getByRole('button', { name: 'Nhận vé' }))
  expect(screen.getByText('ĐANG XỬ LÝ YÊU CẦU ...')).toBeVisible()
  await act(() => jest.advanceTimersByTimeAsync(1000))
  const dialog = screen.getByRole('dialog', { name: 'Chúc mừng bạn đã nhận vé!' })
  expect(within(dialog).getByText('A51C-20Q0-17C0')).toBeVisible()
  await user.click(within(dialog).getByRole('button', { name: 'Xác nhận' }))
  await act(() => jest.advanceTimersByTimeAsync(0))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(card('Tổng nạp 300 điểm').getByRole('button', { name: /Đã nhận/ })).toBeVisible()
  expect(host.calls).toEqual([])
})
