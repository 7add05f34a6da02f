import { Dialog } from '@anniversary/shared/ui/Dialog'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { Toasts } from './Toasts.tsx'
import { notifyMember, type Toast, toastStore } from './toast-store.ts'

afterEach(() => act(() => toastStore.setState({ toasts: [] })))

const error: Toast = { kind: 'error', text: 'Không thể kết nối đến máy chủ. Vui lòng thử lại sau!' }
const success: Toast = { kind: 'success', text: 'Đã nhận vé' }
const show = (...toasts: Toast[]) => act(() => toastStore.setState({ toasts }))
const region = () => screen.getByRole('region', { name: 'Thông báo' })
const live = (text: string) =>
  screen.getByText(text).closest('[aria-live]')?.getAttribute('aria-live')

test('errors are announced assertively, other toasts politely', () => {
  render(<Toasts />)
  const silent: Toast = { kind: 'error', text: 'Vui lòng nhập tài khoản', silent: true }
  // The regions stand there before anything is said.
  expect(within(region()).getAllByRole('list')).toHaveLength(3)
  show(error, success)
  expect(live(error.text)).toBe('assertive')
  expect(live(success.text)).toBe('polite')
  expect(screen.getByRole('img', { name: 'Lỗi' })).toBeVisible()
  expect(screen.getByRole('img', { name: 'Thành công' })).toBeVisible()
  show(silent)
  expect(live(silent.text)).toBe('off')
})

test('closing a toast by keyboard returns the focus', async () => {
  render(
    <>
      <input />
      <Toasts />
    </>,
  )
  show(error, success)
  await userEvent.click(screen.getByRole('textbox'))
  await userEvent.tab()
  await userEvent.tab()
  expect(screen.getByRole('button', { name: `Đóng thông báo: ${success.text}` })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(toastStore.getState().toasts).toEqual([error])
  expect(screen.getByRole('textbox')).toHaveFocus()
})

test('a toast stays while its button has the focus', async () => {
  jest.useFakeTimers()
  render(<Toasts />)
  act(() => notifyMember.info('Đã lưu'))
  act(() => screen.getByRole('button', { name: 'Đóng thông báo: Đã lưu' }).focus())
  act(() => jest.advanceTimersByTime(60_000))
  expect(screen.getByText('Đã lưu')).toBeVisible()
  act(() => screen.getByRole('button', { name: 'Đóng thông báo: Đã lưu' }).blur())
  act(() => jest.advanceTimersByTime(60_000))
  expect(screen.queryByText('Đã lưu')).not.toBeInTheDocument()
})

/** Dialogs with these titles, each inside the one before. */
const dialogs = ([title, ...inner]: readonly string[]): ReactNode =>
  title && (
    <Dialog title={title} onClose={() => {}}>
      {dialogs(inner)}
    </Dialog>
  )

test('toasts move into the dialog opened last and back', () => {
  const page = (...titles: string[]) => (
    <>
      <Toasts />
      {dialogs(titles)}
    </>
  )
  show(error)
  const { rerender } = render(page())
  expect(region().parentElement).toBe(document.body)
  for (const titles of [['Ngoài'], ['Ngoài', 'Trong'], ['Ngoài']]) {
    rerender(page(...titles))
    expect(region().closest('dialog')).toBe(
      screen.getByRole('dialog', { name: titles.at(-1) ?? '' }),
    )
  }
  rerender(page())
  expect(region().parentElement).toBe(document.body)
  expect(screen.getAllByText(error.text)).toHaveLength(1)
})
