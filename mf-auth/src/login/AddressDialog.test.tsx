import { createApiError } from '@anniversary/shared/client/api-error'
import type { Address, ClientApi } from '@anniversary/shared/contract/host'
import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { AddressDialog } from './AddressDialog.tsx'

const TYPED: Address = {
  fullname: 'Nguyễn Văn A',
  phoneNumber: '0901 234 567',
  address: '1 Lê Lợi, Quận 1',
  note: '',
}

/** The dialog with this typed into it. */
function open(typed: Partial<Address> = {}, answer: () => Promise<boolean> = async () => true) {
  const updateInfo = jest.fn<Promise<boolean>, Parameters<ClientApi['updateInfo']>>(answer)
  const host = createFakeHost({ session: null, api: { updateInfo } })
  const user = userEvent.setup({ delay: null })
  const onSaved = jest.fn()
  const page = render(
    <AddressDialog
      host={host}
      login={{ token: 'token-1', username: 'demo02' }}
      onSaved={onSaved}
      onClose={() => undefined}
    />,
    { wrapper: StrictMode },
  )
  const { fullname, phoneNumber, address, note } = { ...TYPED, ...typed }
  const values = [fullname, phoneNumber, address, note]
  screen
    .getAllByRole('textbox')
    .forEach((input, i) => void fireEvent.input(input, { target: { value: values[i] } }))
  return { ...page, host, user, updateInfo, onSaved }
}

const field = (name: RegExp) => screen.getByRole('textbox', { name })
const confirm = () => screen.getByRole('button', { name: 'Xác nhận' })

// spec: address-form
it('asks for name, phone, address and a note', () => {
  open()
  const asked = screen.getAllByRole('textbox')
  expect(asked).toEqual([
    field(/^Họ và tên/),
    field(/^Số điện thoại/),
    field(/^Địa chỉ/),
    field(/^Ghi chú \(không bắt buộc\)$/),
  ])
  expect(asked.map((input) => input.hasAttribute('required'))).toEqual([true, true, true, false])
  expect(asked[0]).toHaveFocus()
})

// spec: address-required-fields
it.each<[string, Partial<Address>]>([
  ['name', { fullname: '   ' }],
  ['phone', { phoneNumber: ' ' }],
  ['address', { address: '  ' }],
])('cannot be confirmed with a %s of blanks', async (_, typed) => {
  const { user, updateInfo } = open(typed)
  expect(confirm()).toBeDisabled()
  await user.type(field(/^Họ và tên/), '{Enter}')
  expect(updateInfo).not.toHaveBeenCalled()
})

// spec: address-no-format
it('checks no format', () => {
  open({ fullname: '1', phoneNumber: 'gọi sau 18h', address: '?' })
  expect(confirm()).toBeEnabled()
})

it('sends the trimmed values with the token of the login', async () => {
  const { user, updateInfo, onSaved } = open({ fullname: ' Nguyễn Văn A ', note: ' giao giờ hành chính' })
  await user.type(field(/^Ghi chú/), ' ')
  await user.click(confirm())
  expect(updateInfo.mock.calls).toEqual([[{ ...TYPED, note: 'giao giờ hành chính' }, 'token-1']])
  expect(onSaved).toHaveBeenCalledTimes(1)
})

// spec: address-not-saved
it.each<[string, () => Promise<boolean>]>([
  ['the server says no', async () => false],
  ['the call fails', () => Promise.reject(createApiError('unreachable', 'x'))],
])('when %s, it says so once, stays with the values, and can be confirmed again', async (_, answer) => {
  const { host, user, updateInfo, onSaved } = open({}, answer)
  await user.click(confirm())
  const text = 'Cập nhật thông tin thất bại. Vui lòng thử lại!'
  expect(host.calls).toEqual([{ kind: 'toast', tone: 'error', text }])
  expect(screen.getByText(text)).toBeVisible()
  expect(field(/^Họ và tên/)).toHaveValue('Nguyễn Văn A')
  expect(onSaved).not.toHaveBeenCalled()
  updateInfo.mockResolvedValueOnce(true)
  await user.click(confirm())
  expect(onSaved).toHaveBeenCalledTimes(1)
})
