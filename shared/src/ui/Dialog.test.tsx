import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { installDialog } from '../testing/dialog.ts'
import { Dialog, type DialogProps } from './Dialog.tsx'

beforeAll(installDialog)

function Page(props: Partial<DialogProps>) {
  const [open, setOpen] = useState(false)
  return (
    <main tabIndex={-1}>
      <button type="button" onClick={() => setOpen(true)}>
        Mở
      </button>
      {open && (
        <Dialog title="Thông tin" onClose={() => setOpen(false)} {...props}>
          {props.children ?? <p>Nội dung</p>}
        </Dialog>
      )}
    </main>
  )
}

async function open(props: Partial<DialogProps> = {}) {
  const user = userEvent.setup()
  render(<Page {...props} />)
  await user.click(screen.getByRole('button', { name: 'Mở' }))
  return { user, dialog: screen.getByRole<HTMLDialogElement>('dialog', { name: 'Thông tin' }) }
}

test('opens as a modal named by its title, with the focus on the title', async () => {
  const focused: (EventTarget | null)[] = []
  const note = ({ target }: Event) => focused.push(target)
  document.addEventListener('focusin', note)
  // The focus of a button on the way would scroll the content.
  const { dialog } = await open({ children: <button type="button">Lịch</button> })
  document.removeEventListener('focusin', note)
  expect(dialog).toHaveAttribute('open')
  expect(focused.slice(1)).toEqual([screen.getByRole('heading', { name: 'Thông tin' })])
})

test('starts in the first field, where there is one', async () => {
  await open({ children: <input aria-label="Họ và tên" /> })
  expect(screen.getByRole('textbox', { name: 'Họ và tên' })).toHaveFocus()
})

test.each([
  ['Escape', (user: ReturnType<typeof userEvent.setup>) => user.keyboard('{Escape}')],
  [
    'its close button',
    (user: ReturnType<typeof userEvent.setup>) => user.click(screen.getByRole('button', { name: 'Đóng' })),
  ],
])('%s closes it and gives the focus back to its opener', async (_, close) => {
  const { user } = await open()
  await close(user)
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Mở' })).toHaveFocus()
})

/** Its opener leaves the page as it opens. */
function Replaced() {
  const [step, setStep] = useState(0)
  return (
    <main tabIndex={-1}>
      {step === 0 && (
        <button type="button" onClick={() => setStep(1)}>
          Mở
        </button>
      )}
      {step === 1 && (
        <Dialog title="Thông tin" onClose={() => setStep(2)}>
          Nội dung
        </Dialog>
      )}
    </main>
  )
}

test('gives the focus to the main area where the opener is gone', async () => {
  const user = userEvent.setup()
  render(<Replaced />)
  await user.click(screen.getByRole('button', { name: 'Mở' }))
  await user.keyboard('{Escape}')
  expect(screen.getByRole('main')).toHaveFocus()
})

/** Its first dialog is replaced by a second one in one commit. */
function Chain() {
  const [step, setStep] = useState(0)
  return (
    <>
      <button type="button" onClick={() => setStep(1)}>
        Chia sẻ
      </button>
      {step === 1 && (
        <Dialog title="Nhập" onClose={() => setStep(0)}>
          <button type="button" onClick={() => setStep(2)}>
            Gửi
          </button>
        </Dialog>
      )}
      {step === 2 && (
        <Dialog title="Kết quả" onClose={() => setStep(0)}>
          A51C
        </Dialog>
      )}
    </>
  )
}

test('a dialog that follows another one gives the focus back to the first opener', async () => {
  const user = userEvent.setup()
  render(<Chain />)
  await user.click(screen.getByRole('button', { name: 'Chia sẻ' }))
  await user.click(screen.getByRole('button', { name: 'Gửi' }))
  expect(screen.getByRole('heading', { name: 'Kết quả' })).toHaveFocus()
  await user.keyboard('{Escape}')
  expect(screen.getByRole('button', { name: 'Chia sẻ' })).toHaveFocus()
})

test('a press beside it closes it, one inside does not', async () => {
  const { user, dialog } = await open()
  await user.click(within(dialog).getByText('Nội dung'))
  expect(dialog).toBeInTheDocument()
  await user.click(dialog)
  expect(dialog).not.toBeInTheDocument()
})

test('a press that began inside and ended beside it does not close it', async () => {
  const { user, dialog } = await open()
  await user.pointer([
    { keys: '[MouseLeft>]', target: within(dialog).getByText('Nội dung') },
    { keys: '[/MouseLeft]', target: dialog },
  ])
  expect(dialog).toBeInTheDocument()
})

test('a press beside it keeps it open where something would be lost', async () => {
  const { user, dialog } = await open({ dismissable: false })
  await user.click(dialog)
  expect(dialog).toBeInTheDocument()
  await user.keyboard('{Escape}')
  expect(dialog).not.toBeInTheDocument()
})

test('stays open where its owner does not want to close it', async () => {
  const onClose = jest.fn()
  const { dialog } = await open({ onClose })
  // What Chromium does on a second Escape in a row: it closes the element without asking.
  await act(async () => {
    dialog.close()
    await new Promise((resolve) => setTimeout(resolve, 5))
  })
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(dialog).toHaveAttribute('open')
})

test('says when it opens and closes, for live regions that must move into it', async () => {
  const events: [string, EventTarget | null][] = []
  const note = ({ type, target }: Event) => events.push([type, target])
  document.addEventListener('dialog-opened', note)
  document.addEventListener('dialog-closed', note)
  const { user, dialog } = await open()
  await user.keyboard('{Escape}')
  document.removeEventListener('dialog-opened', note)
  document.removeEventListener('dialog-closed', note)
  expect(events).toEqual([
    ['dialog-opened', dialog],
    ['dialog-closed', dialog],
  ])
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

test('content that fits is no stop of the keyboard', async () => {
  const { user } = await open()
  await user.tab()
  expect(screen.getByRole('button', { name: 'Đóng' })).toHaveFocus()
})
