import { createApiError } from '@anniversary/shared/client/api-error'
import type { Address, ClientApi } from '@anniversary/shared/contract/host'
import { installDialog } from '@anniversary/shared/testing/dialog'
import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { StrictMode } from 'react'
import LoginPage, { type LoginPageProps } from '../LoginPage.tsx'

beforeAll(installDialog)

const load: NonNullable<LoginPageProps['loadAddressDialog']> = () =>
  import('./AddressDialog.tsx').then((module) => module.AddressDialog)

/** Opens the login screen and logs in as a member whose address is missing. */
async function open(updateInfo?: ClientApi['updateInfo'], loadAddressDialog = load) {
  const login: ClientApi['login'] = async ({ username }) => ({
    ok: true,
    sign: `token of ${username}`,
    username,
    needsAddress: true,
  })
  const host = createFakeHost({ session: null, api: { login, ...(updateInfo && { updateInfo }) } })
  const user = userEvent.setup({ delay: null })
  const page = render(<LoginPage host={host} loadAddressDialog={loadAddressDialog} />, {
    wrapper: StrictMode,
  })
  const logIn = async (name: string) => {
    const account = screen.getByRole('textbox', { name: 'Tài khoản' })
    await user.clear(account)
    await user.type(account, name)
    await user.click(screen.getByRole('textbox', { name: 'Số thứ 1' }))
    await user.keyboard('0042')
    await user.click(screen.getByRole('button', { name: 'Đăng nhập' }))
  }
  await logIn('demo02')
  return { host, user, logIn, ...page }
}

const dialog = () => screen.findByRole('dialog', { name: 'Thông tin nhận thưởng' })
const field = (name: RegExp) => screen.getByRole('textbox', { name })
const confirm = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Xác nhận' })
/** jsdom paints nothing to measure contrast by; the end-to-end tests do. */
const AXE = { rules: { 'color-contrast': { enabled: false } } }
const FAILED = 'Cập nhật thông tin thất bại. Vui lòng thử lại!'

async function fill(user: ReturnType<typeof userEvent.setup>, values: Partial<Address> = {}) {
  await dialog()
  const { fullname, phoneNumber, address, note } = {
    fullname: 'Nguyễn Văn A',
    phoneNumber: '0901 234 567',
    address: '1 Lê Lợi, Quận 1',
    note: '',
    ...values,
  }
  if (fullname) await user.type(field(/^Họ và tên/), fullname)
  if (phoneNumber) await user.type(field(/^Số điện thoại/), phoneNumber)
  if (address) await user.type(field(/^Địa chỉ/), address)
  if (note) await user.type(field(/^Ghi chú/), note)
}

const saving = (answer: () => Promise<boolean>) => jest.fn<Promise<boolean>, [Address, string]>(answer)

// spec: address-form
it('asks for name, phone, address and a note, and starts no session yet', async () => {
  const { host } = await open()
  const asked = within(await dialog()).getAllByRole('textbox')
  expect(asked).toEqual([
    field(/^Họ và tên/),
    field(/^Số điện thoại/),
    field(/^Địa chỉ/),
    field(/^Ghi chú \(không bắt buộc\)$/),
  ])
  expect(asked.map((input) => input.hasAttribute('required'))).toEqual([true, true, true, false])
  expect(asked[0]).toHaveFocus()
  expect(host.calls).toEqual([])
  expect((await axe.run(await dialog(), AXE)).violations).toEqual([])
})

it.each<[string, Partial<Address>]>([
  ['name', { fullname: '' }],
  ['phone', { phoneNumber: '' }],
  ['address', { address: '' }],
  ['name but for blanks', { fullname: '   ' }],
  ['phone but for blanks', { phoneNumber: ' ' }],
  ['address but for blanks', { address: '  ' }],
])('cannot be confirmed without a %s', async (_, values) => {
  const updateInfo = saving(async () => true)
  const { user } = await open(updateInfo)
  await fill(user, values)
  expect(confirm()).toBeDisabled()
  await user.type(field(/^Họ và tên/), '{Enter}')
  expect(updateInfo).not.toHaveBeenCalled()
})

// spec: address-no-format
it('checks no format', async () => {
  const updateInfo = saving(async () => true)
  const { user } = await open(updateInfo)
  await fill(user, { fullname: '1', phoneNumber: 'gọi sau 18h', address: '?' })
  expect(confirm()).toBeEnabled()
})

// spec: address-success
it('sends the trimmed values with the token of the login, then starts the session and goes to /home', async () => {
  const updateInfo = saving(async () => true)
  const { host, user } = await open(updateInfo)
  await fill(user, { fullname: ' Nguyễn Văn A ', note: ' giao giờ hành chính ' })
  await user.click(confirm())
  expect(updateInfo.mock.calls).toEqual([
    [
      {
        fullname: 'Nguyễn Văn A',
        phoneNumber: '0901 234 567',
        address: '1 Lê Lợi, Quận 1',
        note: 'giao giờ hành chính',
      },
      'token of demo02',
    ],
  ])
  expect(host.calls).toEqual([
    { kind: 'session-start', token: 'token of demo02', username: 'demo02' },
    { kind: 'navigate', path: '/home' },
  ])
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

it.each<[string, () => Promise<boolean>]>([
  ['the server says no', async () => false],
  ['the network is lost', () => Promise.reject(createApiError('unreachable', 'x'))],
  ['the server refuses', () => Promise.reject(createApiError('refused', 'x', 400))],
  ['the token is dead', () => Promise.reject(createApiError('unauthorized', 'x', 401))],
])('when %s, it says so once, stays with the values, and can be confirmed again', async (_, answer) => {
  const updateInfo = saving(answer)
  const { host, user } = await open(updateInfo)
  await fill(user, { note: 'tầng 2' })
  await user.click(confirm())
  expect(host.calls).toEqual([{ kind: 'toast', tone: 'error', text: FAILED }])
  expect(within(await dialog()).getByText(FAILED)).toBeVisible()
  expect(field(/^Họ và tên/)).toHaveValue('Nguyễn Văn A')
  expect(field(/^Ghi chú/)).toHaveValue('tầng 2')
  updateInfo.mockResolvedValueOnce(true)
  await user.click(confirm())
  expect(updateInfo).toHaveBeenCalledTimes(2)
  expect(host.visited()).toEqual(['/home'])
})

it('is sent once however often confirm is tapped', async () => {
  let answer: (saved: boolean) => void = () => {}
  const updateInfo = saving(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  const { host, user } = await open(updateInfo)
  await fill(user)
  await user.dblClick(confirm())
  await user.type(field(/^Họ và tên/), '{Enter}')
  expect(confirm()).toHaveAttribute('aria-busy', 'true')
  expect(updateInfo).toHaveBeenCalledTimes(1)
  await act(async () => answer(true))
  expect(host.visited()).toEqual(['/home'])
})

it('is sent once when it is submitted twice before the page could show that it is busy', async () => {
  const updateInfo = saving(() => new Promise(() => {}))
  const { user } = await open(updateInfo)
  await fill(user)
  const { form } = confirm()
  act(() => {
    form?.requestSubmit()
    form?.requestSubmit()
  })
  expect(updateInfo).toHaveBeenCalledTimes(1)
})

it('keeps the token in memory only', async () => {
  const { container } = await open()
  await dialog()
  expect(container.innerHTML).not.toContain('token of demo02')
  expect(document.cookie).toBe('')
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).toBe('{}')
  expect(location.href).not.toContain('token')
})

it('closes by Escape and drops the login, keeping what was typed for the same member only', async () => {
  const { host, user, logIn } = await open()
  await fill(user)
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Đăng nhập' })).toHaveFocus()
  expect(host.calls).toEqual([])

  await logIn('demo02')
  await dialog()
  expect(field(/^Địa chỉ/)).toHaveValue('1 Lê Lợi, Quận 1')
  await user.click(screen.getByRole('button', { name: 'Đóng' }))

  await logIn('demo03')
  await dialog()
  expect(field(/^Địa chỉ/)).toHaveValue('')
})

it('does not close by a press beside it, which would lose the values', async () => {
  const { user } = await open()
  await user.click(await dialog())
  expect(await dialog()).toBeVisible()
})

it('starts no session when the answer comes after it was closed', async () => {
  let answer: (saved: boolean) => void = () => {}
  const { host, user } = await open(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  await fill(user)
  await user.click(confirm())
  await user.keyboard('{Escape}')
  await act(async () => answer(true))
  expect(host.calls).toEqual([])
})

it('says when the browser will not keep the session that the address was for', async () => {
  const { host, user } = await open(async () => true)
  jest.spyOn(host.session, 'start').mockImplementation(() => {
    throw Object.assign(new Error('blocked'), { name: 'StorageBlockedError' })
  })
  await fill(user)
  await user.click(confirm())
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(screen.getByRole('alert')).toHaveTextContent('Trình duyệt đang chặn cookie')
  expect(host.visited()).toEqual([])
})

it('says when its code does not arrive, and asks anew without a second login', async () => {
  const loader = jest.fn(load).mockRejectedValueOnce(new Error('ChunkLoadError'))
  const { host, user } = await open(async () => true, loader)
  expect(await screen.findByRole('alert')).toHaveTextContent('Chưa mở được biểu mẫu địa chỉ')
  // StrictMode runs an effect twice on mount only; the login came later.
  expect(loader).toHaveBeenCalledTimes(1)
  const retry = screen.getByRole('button', { name: 'Thử lại' })
  expect(retry).toHaveFocus()
  await user.click(retry)
  await fill(user)
  await user.click(confirm())
  expect(host.visited()).toEqual(['/home'])
})

it('lets another member log in when its code does not arrive', async () => {
  let arrive = () => {}
  const slow = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const loader = jest
    .fn<ReturnType<typeof load>, []>(() => slow.then(load))
    .mockRejectedValueOnce(new Error('ChunkLoadError'))
  const { logIn } = await open(async () => true, loader)
  await screen.findByRole('alert')
  await logIn('demo03')
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  arrive()
  expect(await dialog()).toBeVisible()
})

it('is not even asked for by a member whose address is known', async () => {
  const loader = jest.fn(load)
  const host = createFakeHost({
    session: null,
    api: { login: async () => ({ ok: true, sign: 's', username: 'demo01', needsAddress: false }) },
  })
  const user = userEvent.setup({ delay: null })
  render(<LoginPage host={host} loadAddressDialog={loader} />)
  await user.type(screen.getByRole('textbox', { name: 'Tài khoản' }), 'demo01')
  await user.click(screen.getByRole('textbox', { name: 'Số thứ 1' }))
  await user.keyboard('1234{Enter}')
  expect(host.visited()).toEqual(['/home'])
  expect(loader).not.toHaveBeenCalled()
})
