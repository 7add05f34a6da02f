import { act, render, screen, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { Dialog, type DialogProps } from './Dialog.tsx'

function Page(props: Partial<DialogProps>) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Mở
      </button>
      {open && (
        <Dialog title="Thông tin" onClose={() => setOpen(false)} {...props}>
          {props.children ?? <p>Nội dung</p>}
        </Dialog>
      )}
    </>
  )
}

async function open(props: Partial<DialogProps> = {}) {
  const user = userEvent.setup()
  render(<Page {...props} />)
  await user.click(screen.getByRole('button', { name: 'Mở' }))
  return { user, dialog: screen.getByRole<HTMLDialogElement>('dialog', { name: 'Thông tin' }) }
}

test('a dialog opens as a modal with the focus on its title', async () => {
  const focused: (EventTarget | null)[] = []
  const note = ({ target }: Event) => focused.push(target)
  document.addEventListener('focusin', note)
  // The focus of a button on the way would scroll the content.
  const { dialog } = await open({ children: <button type="button">Lịch</button> })
  document.removeEventListener('focusin', note)
  expect(dialog).toHaveAttribute('open')
  expect(focused.slice(1)).toEqual([screen.getByRole('heading', { name: 'Thông tin' })])
})

test.each([
  ['Escape', (user: UserEvent) => user.keyboard('{Escape}')],
  [
    'its close button',
    (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Đóng' })),
  ],
])('%s closes the dialog and returns the focus to its opener', async (_, close) => {
  const { user } = await open()
  await close(user)
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Mở' })).toHaveFocus()
})

const opener = <button type="button">Mở</button>
const titled = (title: string) => (
  <Dialog key={title} title={title} onClose={() => {}}>
    Nội dung
  </Dialog>
)

test('a dialog that follows another one gives the focus back to the first opener', () => {
  const page = (dialog?: ReactNode) => (
    <>
      {opener}
      {dialog}
    </>
  )
  const { rerender } = render(page())
  screen.getByRole('button').focus()
  for (const title of ['Nhập', 'Kết quả']) rerender(page(titled(title)))
  expect(screen.getByRole('heading', { name: 'Kết quả' })).toHaveFocus()
  rerender(page())
  expect(screen.getByRole('button')).toHaveFocus()
})

test('without its opener a closed dialog focuses the main area', () => {
  const { rerender } = render(<main tabIndex={-1}>{opener}</main>)
  screen.getByRole('button').focus()
  rerender(<main tabIndex={-1}>{titled('Thông tin')}</main>)
  rerender(<main tabIndex={-1} />)
  expect(screen.getByRole('main')).toHaveFocus()
})

test('a click beside the dialog closes it, a drag from inside does not', async () => {
  const { user, dialog } = await open()
  const inside = within(dialog).getByText('Nội dung')
  await user.click(inside)
  expect(dialog).toBeInTheDocument()
  await user.pointer([
    { keys: '[MouseLeft>]', target: inside },
    { keys: '[/MouseLeft]', target: dialog },
  ])
  expect(dialog).toBeInTheDocument()
  await user.click(dialog)
  expect(dialog).not.toBeInTheDocument()
})

test.each(['error', 'celebrate'] as const)(
  'a click beside the kind %s closes nothing',
  async (kind) => {
    const { user, dialog } = await open({ kind })
    await user.click(dialog)
    expect(dialog).toBeInTheDocument()
  },
)

test('a dialog that the browser closed tells its owner', async () => {
  const onClose = jest.fn()
  const { dialog } = await open({ onClose })
  // What Chromium does on a second Escape in a row: it closes the element
  // without asking.
  await act(async () => {
    dialog.close()
    await new Promise((resolve) => setTimeout(resolve, 5))
  })
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(dialog).not.toHaveAttribute('open')
})

test('an error is read with its title', async () => {
  const { dialog } = await open({ kind: 'error', children: 'Chưa lưu được' })
  expect(dialog).toHaveAccessibleDescription('Chưa lưu được')
})

test('content that does not fit is a named region that the keyboard can scroll', async () => {
  jest.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(900)
  jest.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(300)
  const { user } = await open()
  await user.tab()
  expect(screen.getByRole('region', { name: 'Thông tin' })).toHaveFocus()
})
