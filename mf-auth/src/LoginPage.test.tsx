import type { Address, ClientApi, LoginResult } from '@anniversary/shared/contract/host'
import { installDialog } from '@anniversary/shared/testing/dialog'
import { createFakeHost, type FakeHostOptions } from '@anniversary/shared/testing/fake-host'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import LoginPage from './LoginPage.tsx'

beforeAll(installDialog)

const open = (api: Partial<ClientApi>, options: Omit<FakeHostOptions, 'api'> = {}) => {
  const host = createFakeHost({ session: null, ...options, api })
  const user = userEvent.setup()
  const page = render(<LoginPage host={host} />, { wrapper: StrictMode })
  return { host, user, ...page }
}

const account = () => screen.getByRole('textbox', { name: 'Tài khoản' })
const group = () => within(screen.getByRole('group', { name: '4 số cuối tài khoản ngân hàng' }))
const box = (place: number) => group().getByRole('textbox', { name: `Số thứ ${place}` })
const submit = () => screen.getByRole('button', { name: 'Đăng nhập' })

const fill = async (user: ReturnType<typeof userEvent.setup>) => {
  await user.type(account(), 'demo01')
  await user.click(box(1))
  await user.keyboard('0042')
}

const accepted = (more?: Partial<Extract<LoginResult, { ok: true }>>) => async (): Promise<LoginResult> => ({
  ok: true,
  sign: 'token-1',
  username: 'demo01',
  needsAddress: false,
  ...more,
})

it('logs in and goes to /home', async () => {
  const login = jest.fn(accepted())
  const { host, user } = open({ login })
  await fill(user)
  await user.click(submit())
  expect(login.mock.calls).toEqual([[{ username: 'demo01', lastBankNumber: '0042' }]])
  expect(host.calls).toEqual([
    { kind: 'session-start', sign: 'token-1', username: 'demo01' },
    { kind: 'navigate', path: '/home' },
  ])
})

it('asks for the address first where the answer requires it', async () => {
  const updateInfo = jest.fn(async (_: Address, __: string) => true)
  const { host, user } = open({ login: accepted({ needsAddress: true }), updateInfo })
  await fill(user)
  await user.click(submit())
  const dialog = await screen.findByRole('dialog', { name: 'Thông tin nhận thưởng' })
  expect(host.calls).toEqual([])
  await user.type(within(dialog).getByLabelText(/Họ và tên/), 'Nguyễn Văn A')
  await user.type(within(dialog).getByLabelText(/Số điện thoại/), '0901234567')
  await user.type(within(dialog).getByLabelText(/Địa chỉ/), '1 Lê Lợi, Quận 1')
  await user.click(within(dialog).getByRole('button', { name: 'Xác nhận' }))
  await waitFor(() => expect(host.visited()).toEqual(['/home']))
  expect(updateInfo.mock.calls).toEqual([
    [
      { fullname: 'Nguyễn Văn A', phoneNumber: '0901234567', address: '1 Lê Lợi, Quận 1', note: '' },
      'token-1',
    ],
  ])
  expect(host.calls[0]).toEqual({ kind: 'session-start', sign: 'token-1', username: 'demo01' })
})
