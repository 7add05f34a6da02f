import { pending } from '@anniversary/shared/testing/pending'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { act, render, screen, within } from '@testing-library/react'
import { Toasts } from '../toasts/Toasts.tsx'
import { Banners } from './Banner.tsx'
import { BusyBanner, showPutOff } from './BusyBanner.tsx'

test('a banner counts down while a call is put off', async () => {
  jest.useFakeTimers()
  render(
    <Banners>
      <BusyBanner />
    </Banners>,
  )
  const region = screen.getByRole('status')
  expect(region).toBeEmptyDOMElement()
  const [first, second] = [pending<void>(), pending<void>()]
  act(() => {
    showPutOff(3000, first.promise)
    showPutOff(20_000, second.promise)
  })
  expect(region).toHaveTextContent(
    /Đang có rất nhiều người truy cập.*Trang sẽ tự thử lại sau 20 giây/,
  )
  act(() => jest.advanceTimersByTime(5000))
  expect(screen.getByRole('timer')).toHaveTextContent('Trang sẽ tự thử lại sau 15 giây.')
  act(() => jest.advanceTimersByTime(15_000))
  expect(screen.getByRole('timer')).toHaveTextContent('Trang đang thử lại.')
  await act(async () => first.resolve())
  expect(region).not.toBeEmptyDOMElement()
  await act(async () => second.reject(new Error('refused')))
  expect(region).toBeEmptyDOMElement()
})

test('a call put off while a dialog is open is announced in it', async () => {
  render(
    <>
      <Toasts />
      <Dialog title="Địa chỉ" onClose={() => {}}>
        x
      </Dialog>
    </>,
  )
  const call = pending<void>()
  act(() => showPutOff(60_000, call.promise))
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText(/Đang có rất nhiều người truy cập/)).toBeVisible()
  await act(async () => call.resolve())
})

test('the page ends above the banners', () => {
  const { style } = document.documentElement
  const height = jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(90)
  render(<Banners />)
  expect([style.paddingBottom, style.scrollPaddingBottom]).toEqual(['90px', '90px'])
  height.mockReturnValue(0)
  render(<Banners />)
  expect([style.paddingBottom, style.scrollPaddingBottom]).toEqual(['', ''])
})
