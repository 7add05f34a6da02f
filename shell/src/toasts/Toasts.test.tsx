import { Dialog } from '@anniversary/shared/ui/Dialog'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Toasts } from './Toasts.tsx'
import type { Toast } from './toast-store.ts'

const error: Toast = { kind: 'error', text: 'Không thể kết nối đến máy chủ. Vui lòng thử lại sau!' }
const success: Toast = { kind: 'success', text: 'Đã nhận vé' }
const region = () => screen.getByRole('region', { name: 'Thông báo' })
const live = (text: string) => screen.getByText(text).closest('[aria-live]')?.getAttribute('aria-live')

test('the live regions stand there before anything is said', () => {
  render(<Toasts toasts={[]} onClose={() => {}} />)
  const lists = within(region()).getAllByRole('list')
  expect(lists.map((list) => list.getAttribute('aria-live'))).toEqual(['assertive', 'polite'])
})

test('errors are told at once, the rest when there is time; each says its kind', () => {
  render(<Toasts toasts={[error, success]} onClose={() => {}} />)
  expect(live(error.text)).toBe('assertive')
  expect(live(success.text)).toBe('polite')
  expect(screen.getByRole('img', { name: 'Lỗi' })).toBeVisible()
  expect(screen.getByRole('img', { name: 'Thành công' })).toBeVisible()
})

test('a toast is closed by its own button', async () => {
  const onClose = jest.fn()
  render(<Toasts toasts={[error, success]} onClose={onClose} />)
  await userEvent.click(screen.getByRole('button', { name: `Đóng thông báo: ${success.text}` }))
  expect(onClose.mock.calls).toEqual([[success.text]])
})

test('they move into the dialog opened last, and back', () => {
  const page = (open: 0 | 1 | 2) => (
    <>
      <Toasts toasts={[error]} onClose={() => {}} />
      {open > 0 && (
        <Dialog title="Ngoài" onClose={() => {}}>
          {open > 1 && (
            <Dialog title="Trong" onClose={() => {}}>
              Nội dung
            </Dialog>
          )}
        </Dialog>
      )}
    </>
  )
  const { rerender } = render(page(0))
  expect(region().parentElement).toBe(document.body)
  rerender(page(1))
  expect(region().parentElement).toBe(screen.getByRole('dialog', { name: 'Ngoài' }))
  rerender(page(2))
  expect(region().parentElement).toBe(screen.getByRole('dialog', { name: 'Trong' }))
  rerender(page(1))
  expect(region().parentElement).toBe(screen.getByRole('dialog', { name: 'Ngoài' }))
  rerender(page(0))
  expect(region().parentElement).toBe(document.body)
  expect(screen.getAllByText(error.text)).toHaveLength(1)
})

test('a dialog that was open before them is found', () => {
  render(
    <Dialog title="Sẵn có" onClose={() => {}}>
      Nội dung
    </Dialog>,
  )
  render(<Toasts toasts={[]} onClose={() => {}} />)
  expect(region().parentElement).toBe(screen.getByRole('dialog', { name: 'Sẵn có' }))
})
