import { EVENTS } from '@anniversary/shared/contract/page-names'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { toastStore } from '../toasts/toast-store.ts'
import { Banners } from './Banner.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'

const TEXT = 'Không có kết nối mạng. Thông tin có thể chưa được cập nhật.'
function network(onLine: boolean) {
  act(() => void dispatchEvent(new Event(onLine ? 'online' : 'offline')))
}
const said = () => toastStore.getState().toasts.map(({ kind, text }) => `${kind}: ${text}`)
const open = () =>
  render(
    <>
      <Banners>
        <OfflineBanner />
      </Banners>
      <main tabIndex={-1} />
    </>,
  )

beforeEach(() => {
  network(true)
  toastStore.setState({ toasts: [] })
})

test('the offline banner shows in an existing live region', () => {
  open()
  const region = screen.getByRole('status')
  expect(region).toBeEmptyDOMElement()
  network(false)
  expect(region).toHaveTextContent(TEXT)
  network(true)
  expect(region).toBeEmptyDOMElement()
  expect(said()).toEqual(['success: Đã có mạng trở lại.'])
})

test('a page of the back-forward cache hears of the network when it is shown', () => {
  open()
  network(false)
  act(() => void dispatchEvent(new Event('pageshow')))
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
})

test('a page opened offline shows the banner without a toast', () => {
  network(false)
  open()
  expect(screen.getByRole('status')).toHaveTextContent(TEXT)
  expect(said()).toEqual([])
})

test('retry reports its result, announces the network and keeps the focus', async () => {
  const user = userEvent.setup()
  let answers = false
  globalThis.fetch = jest.fn(async () => {
    if (!answers) throw new TypeError('Failed to fetch')
    return {} as Response
  })
  const heard = jest.fn()
  addEventListener(EVENTS.networkFound, heard)
  open()
  network(false)
  await user.click(screen.getByRole('button', { name: 'Thử lại' }))
  expect(said()).toEqual(['warning: Vẫn chưa có kết nối mạng.'])
  expect(screen.getByText(TEXT)).toBeVisible()
  expect(heard).not.toHaveBeenCalled()
  answers = true
  await user.click(screen.getByRole('button', { name: 'Thử lại' }))
  expect(heard).toHaveBeenCalledTimes(1)
  expect(screen.queryByText(TEXT)).not.toBeInTheDocument()
  expect(screen.getByRole('main')).toHaveFocus()
  removeEventListener(EVENTS.networkFound, heard)
})

test('a probe on a network that answers nothing ends after ten seconds', async () => {
  jest.useFakeTimers()
  globalThis.fetch = (_url, init) =>
    new Promise((_, fail) => init?.signal?.addEventListener('abort', fail))
  open()
  network(false)
  const button = screen.getByRole('button', { name: 'Thử lại' })
  act(() => button.click())
  await act(() => jest.advanceTimersByTimeAsync(9_999))
  expect(said()).toEqual([])
  await act(() => jest.advanceTimersByTimeAsync(1))
  expect(said()).toEqual(['warning: Vẫn chưa có kết nối mạng.'])
})
