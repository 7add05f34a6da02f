import { createApiError } from '@anniversary/shared/client/api-error'
import { clientTexts } from '@anniversary/shared/client/texts'
import type { Address, ClientApi, LoginResult } from '@anniversary/shared/contract/host'
import { createFakeHost, type FakeHostOptions } from '@anniversary/shared/testing/fake-host'
import { pending } from '@anniversary/shared/testing/pending'
import { afterPaint } from '@anniversary/shared/ui/after-paint'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { StrictMode } from 'react'
import LoginPage from './LoginPage.tsx'
import { loginTexts as texts } from './texts/login.ts'

function open(api: Partial<ClientApi> = {}, config: FakeHostOptions['config'] = {}) {
  const host = createFakeHost({ session: null, api, config })
  const user = userEvent.setup({ delay: null })
  const page = render(<LoginPage host={host} />, { wrapper: StrictMode })
  return { host, user, ...page }
}

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

// By labels: jsdom spends milliseconds on each role.
const account = () => screen.getByLabelText('Tài khoản')
const box = (place: number) => screen.getByLabelText(`Chữ số thứ ${place}`)
const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Đăng nhập' })
const toast = (text: string, options?: object) => ({
  kind: 'toast',
  tone: 'error',
  text,
  ...(options && { options }),
})

async function fill(user: UserEvent, name = 'demo01', digits = '0042') {
  // Pasted: jsdom takes milliseconds for each typed key.
  account().focus()
  await user.paste(name)
  box(1).focus()
  await user.paste(digits)
}

async function logIn(user: UserEvent) {
  await fill(user)
  await user.click(submit())
}

const accepted: LoginResult = { ok: true, sign: 'token-1', username: 'demo01', needsAddress: false }

// spec: login-account-field
it('the form shows for members with a session and supports autofill', () => {
  const host = createFakeHost()
  render(<LoginPage host={host} />)
  expect(screen.getAllByRole('textbox')).toHaveLength(5)
  expect(host.calls).toEqual([])
  expect(screen.getByRole('heading', { level: 1, name: 'Đăng nhập' })).toBeVisible()
  expect(account()).toHaveAttribute('autocomplete', 'username')
  expect(account()).toHaveAttribute('autocapitalize', 'none')
})

describe('validation', () => {
  // spec: login-validation
  it('a validation error shows as toast and beside the focused field until an edit', async () => {
    const { host, user } = open()
    await user.click(submit())
    const text = texts.accountMissing
    await waitFor(() => expect(host.calls).toEqual([toast(text, { silent: true })]))
    expect(account()).toHaveFocus()
    expect(account()).toBeInvalid()
    expect(account()).toHaveAccessibleDescription(text)
    expect(screen.getAllByText(text)).toHaveLength(1)
    // The focus does not move, so only the toast is announced.
    await user.keyboard('{Enter}')
    await waitFor(() => expect(host.calls.at(-1)).toEqual(toast(text, { silent: false })))
    await user.keyboard('d')
    expect(screen.queryByText(text)).not.toBeInTheDocument()
    expect(account()).toBeValid()
  })

  // spec: digits-only
  it('a letter in a digit box is rejected at once, inline and by a toast', async () => {
    const { host, user } = open()
    await user.click(box(2))
    await user.keyboard('x')
    expect(box(2)).toHaveFocus()
    expect(box(2)).toBeInvalid()
    expect(box(2)).toHaveAccessibleDescription(texts.digitsOnly)
    expect(box(1)).toBeValid()
    expect(host.calls).toEqual([toast('Chỉ được nhập số', { silent: false })])
    await user.keyboard('{Backspace}5')
    expect(screen.queryByText(texts.digitsOnly)).not.toBeInTheDocument()
    expect(box(3)).toHaveFocus()
  })
})

describe('a login', () => {
  // spec: login-success
  it('a login sends trimmed account and digits, starts the session and opens /home', async () => {
    const { promise, resolve } = pending<LoginResult>()
    const login = jest.fn(() => promise)
    const { host, user } = open({ login })
    await fill(user, ' demo01 ', '0042')
    await user.keyboard('{Enter}{Enter}')
    expect(login.mock.calls).toEqual([[{ username: 'demo01', lastBankNumber: '0042' }]])
    expect(submit()).toHaveAttribute('aria-busy', 'true')
    await act(async () => resolve(accepted))
    expect(host.calls).toEqual([
      { kind: 'session-start', token: 'token-1', username: 'demo01' },
      { kind: 'navigate', path: '/home' },
    ])
    account().focus()
    await user.keyboard('{Enter}')
    expect(login).toHaveBeenCalledTimes(1)
  })

  it('a login answer after leaving the page starts no session', async () => {
    const { promise, resolve } = pending<LoginResult>()
    const { host, user, unmount } = open({ login: () => promise })
    await logIn(user)
    unmount()
    await act(async () => resolve(accepted))
    expect(host.calls).toEqual([])
  })

  const LIMIT = 'Bạn thao tác quá nhanh. Vui lòng thử lại sau.'
  it.each([
    ["keeps the words of the interceptor's toast", createApiError('refused', LIMIT, 429), LIMIT],
    ['says that the server is out of reach', new TypeError(), clientTexts.unreachable],
  ])('that fails %s beside the button, and adds no toast', async (_, error, text) => {
    const { host, user } = open({ login: () => Promise.reject(error) })
    await logIn(user)
    expect(screen.getByText(text)).toBeVisible()
    expect(host.calls).toEqual([])
  })

  it('blocked cookies show how to allow them', async () => {
    const { host, user } = open({ login: async () => accepted })
    jest.spyOn(host.session, 'start').mockImplementation(() => {
      throw Object.assign(new Error('blocked'), { name: 'StorageBlockedError' })
    })
    await logIn(user)
    expect(screen.getByText(texts.storageBlocked)).toBeVisible()
    expect(host.calls).toEqual([toast(texts.storageBlocked)])
  })

  // spec: login-rejected
  it('a rejected login shows a toast and an inline message and can be repeated', async () => {
    const { host, user } = open({
      login: async ({ username }) => (username === 'demo01' ? { ok: false } : accepted),
    })
    await logIn(user)
    expect(host.calls).toEqual([toast('Tài khoản hoặc mật khẩu không chính xác!')])
    expect(screen.getAllByText(texts.rejected)).toHaveLength(1)
    expect(box(4)).toHaveValue('2')
    await user.type(account(), 'x')
    expect(account()).toHaveValue('demo01x')
    expect(screen.queryByText(texts.rejected)).not.toBeInTheDocument()
    await user.click(submit())
    expect(host.visited()).toEqual(['/home'])
  })
})

it('a rejected account with a tone mark names the input method', async () => {
  const { user } = open({ login: async () => ({ ok: false }) })
  await fill(user)
  await user.type(account(), 'é')
  await user.click(submit())
  expect(screen.getByRole('status')).toHaveTextContent(texts.inputMethod)
})

describe('the ways out', () => {
  // spec: register-configured
  it('the register button opens the configured address in the same tab', async () => {
    // The same document, since jsdom goes nowhere else.
    const { host, user } = open({}, { registerUrl: 'http://localhost/#dang-ky' })
    await user.click(screen.getByRole('button', { name: 'Đăng ký tham gia' }))
    expect(location.href).toBe('http://localhost/#dang-ky')
    expect(host.calls).toEqual([])
  })

  // spec: register-default
  it('without a configured address the register button opens /megalive', async () => {
    history.replaceState(null, '', '/login?registerUrl=https://evil.example&next=//evil.example')
    const { host, user } = open()
    const button = screen.getByRole('button', { name: 'Đăng ký tham gia' })
    expect(within(button).getByRole('img', { name: 'Đăng ký tham gia' })).toBeVisible()
    await user.click(button)
    expect(host.calls).toEqual([{ kind: 'navigate', path: '/megalive' }])
    history.replaceState(null, '', '/')
  })

  // spec: login-links
  it('links lead to the rules, the check and the landing page', async () => {
    const { host, user } = open()
    await user.click(screen.getByRole('button', { name: 'Thể lệ chương trình' }))
    expect(host.calls).toEqual([{ kind: 'rules' }])
    expect(screen.getByRole('link', { name: 'Kiểm tra vé' })).toHaveAttribute('href', '/check')
    expect(screen.getByRole('link', { name: 'Quay về' })).toHaveAttribute('href', '/')
  })
})

describe('a login that needs an address', () => {
  const login: ClientApi['login'] = async ({ username }) => ({
    ok: true,
    sign: `token of ${username}`,
    username,
    needsAddress: true,
  })

  const TYPED: Address = {
    fullname: 'Nguyễn Văn A',
    phoneNumber: 'gọi sau 18h',
    address: '1 Lê Lợi, Quận 1',
    note: '',
  }
  const field = (name: RegExp) => screen.getByRole('textbox', { name })
  const confirm = () => screen.getByRole('button', { name: 'Xác nhận' })

  async function openDialog(
    typed: Partial<Address> = {},
    answer: () => Promise<boolean> = async () => true,
  ) {
    const updateInfo = jest.fn<Promise<boolean>, Parameters<ClientApi['updateInfo']>>(answer)
    const page = open({ login, updateInfo })
    await fill(page.user, 'demo02')
    await page.user.click(submit())
    const dialog = await screen.findByRole('dialog', { name: 'Thông tin nhận thưởng' })
    const { fullname, phoneNumber, address, note } = { ...TYPED, ...typed }
    for (const [index, value] of [fullname, phoneNumber, address, note].entries())
      fireEvent.input(within(dialog).getAllByRole('textbox')[index] ?? dialog, {
        target: { value },
      })
    return { ...page, updateInfo, dialog }
  }

  // spec: address-form
  it('the address form asks for name, phone, address and a note', async () => {
    const { dialog } = await openDialog()
    const asked = within(dialog).getAllByRole('textbox')
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
    ['name', { fullname: '\u200b\u3164' }],
  ])('cannot be confirmed with a %s of blanks', async (_, typed) => {
    const { user, updateInfo } = await openDialog(typed)
    expect(confirm()).toBeDisabled()
    await user.type(field(/^Họ và tên/), '{Enter}')
    expect(updateInfo).not.toHaveBeenCalled()
  })

  it.each([
    [
      'a change event',
      (input: HTMLElement) => fireEvent(input, new Event('change', { bubbles: true })),
    ],
    ['no event', () => undefined],
  ])('the address can be confirmed after autofill with %s', async (_, raise) => {
    const empty = { fullname: '', phoneNumber: '', address: '' }
    const { user, updateInfo, dialog } = await openDialog(empty)
    const inputs = within(dialog).getAllByRole<HTMLInputElement>('textbox').slice(0, 3)
    for (const input of inputs) input.value = 'x'
    for (const input of inputs) raise(input)
    await waitFor(() => expect(confirm()).toBeEnabled())
    await user.click(confirm())
    expect(updateInfo).toHaveBeenCalled()
  })

  // spec: address-success
  it('the session starts only after the address, in any format, is saved', async () => {
    const note = ' giao giờ hành chính '
    const { container, host, user, updateInfo } = await openDialog({
      fullname: ' Nguyễn Văn A ',
      note,
    })
    expect(host.calls).toEqual([])
    expect(container.innerHTML + document.cookie + location.href).not.toContain('token')
    expect(Object.keys(sessionStorage)).toEqual(['pending-login', 'address-draft:demo02'])
    await user.click(confirm())
    expect({ ...sessionStorage }).toEqual({})
    const saved = { ...TYPED, note: 'giao giờ hành chính' }
    expect(updateInfo.mock.calls).toEqual([[saved, 'token of demo02']])
    expect(host.calls).toEqual([
      { kind: 'session-start', token: 'token of demo02', username: 'demo02' },
      { kind: 'navigate', path: '/home' },
    ])
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  // spec: address-not-saved
  it.each<[string, () => Promise<boolean>]>([
    ['the server says no', async () => false],
    ['the call fails', () => Promise.reject(createApiError('unreachable', 'x'))],
  ])(
    'when %s, it says so once, stays with the values, and can be confirmed again',
    async (_, answer) => {
      const { host, user, updateInfo } = await openDialog({}, answer)
      await user.click(confirm())
      const text = 'Cập nhật thông tin thất bại. Vui lòng thử lại!'
      expect(host.calls).toEqual([toast(text)])
      expect(screen.getByText(text)).toBeVisible()
      expect(field(/^Họ và tên/)).toHaveValue('Nguyễn Văn A')
      updateInfo.mockResolvedValueOnce(true)
      await user.click(confirm())
      expect(host.visited()).toEqual(['/home'])
    },
  )

  it('a login that has expired goes back to the form, and keeps what was typed', async () => {
    const expired = () => Promise.reject(createApiError('unauthorized', 'x', 401))
    const { host, user } = await openDialog({}, expired)
    await user.click(confirm())
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(submit()).toBeEnabled()
    expect(host.calls).toEqual([toast('x')])
    expect(Object.keys(sessionStorage)).toEqual(['address-draft:demo02'])
  })

  it('Escape drops the pending login, a click beside its form does not', async () => {
    const { host, user, dialog } = await openDialog()
    await user.click(dialog)
    expect(dialog).toBeVisible()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(submit()).toHaveFocus()
    expect(host.calls).toEqual([])
  })

  it("a login before another member's resumes does not get that member's draft", async () => {
    sessionStorage.setItem('pending-login', '{"token":"token-2","username":"demo02"}')
    sessionStorage.setItem('address-draft:demo02', '{"fullname":"An"}')
    const { promise, resolve } = pending<LoginResult>()
    open({ login: () => promise })
    fireEvent.input(account(), { target: { value: 'demo01' } })
    fireEvent.input(box(1), { target: { value: '0042' } })
    fireEvent.click(submit())
    await act(() => new Promise<void>(afterPaint))
    await act(async () => resolve({ ...accepted, needsAddress: true }))
    expect(await screen.findByLabelText(/^Họ và tên/)).toHaveValue('')
  })

  it('an address form that fails to load shows a message and can be retried', async () => {
    jest.doMock('./login/AddressDialog.tsx', () => {
      throw new Error('ChunkLoadError')
    })
    const { host, user } = open({ login })
    await logIn(user)
    expect(await screen.findByText(texts.addressNotLoaded)).toBeVisible()
    expect(host.calls).toEqual([toast(texts.addressNotLoaded)])
    jest.dontMock('./login/AddressDialog.tsx')
    await user.click(submit())
    expect(await screen.findByRole('dialog')).toBeVisible()
  })
})

describe('known members', () => {
  it('a login greets the member until /home shows, and moves nothing', async () => {
    const { host, user } = open({ login: async () => accepted })
    await logIn(user)
    const greeting = await screen.findByRole('button', { name: 'Chào demo01!' })
    expect(greeting).toHaveFocus()
    // The line for a known member stays away: it would move the form.
    expect(screen.getByText('Bạn đang đăng nhập', { exact: false }).parentElement).toHaveAttribute(
      'data-shown',
      'false',
    )
    await user.click(greeting)
    expect(host.visited()).toEqual(['/home'])
  })

  it('a member who types on the way to /home can log in again', async () => {
    const { host, user } = open({ login: async () => accepted })
    await logIn(user)
    await screen.findByRole('button', { name: 'Chào demo01!' })
    fireEvent.input(account())
    await user.click(submit())
    expect(host.visited()).toEqual(['/home', '/home'])
  })

  it('a page that comes back after a login reloads, so that nobody sees what was typed', async () => {
    const { host, user } = open({ login: async () => accepted })
    await logIn(user)
    await screen.findByRole('button', { name: 'Chào demo01!' })
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    expect(host.calls.at(-1)).toEqual({ kind: 'reload' })
  })

  // spec: login-known
  it('a living session is greeted with a link to /home, above the form', () => {
    const host = createFakeHost()
    render(<LoginPage host={host} />)
    expect(screen.getByText('demo01')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Vào nhận vé' })).toHaveAttribute('href', '/home')
    act(() => host.session.start({ sign: 'of another tab', username: 'demo02' }))
    expect(screen.getByText('demo02')).toBeVisible()
    act(() => host.session.clear())
    expect(screen.queryByText('demo02')).toBeNull()
  })

  it('the account of the last login is offered again, and nothing typed is replaced', async () => {
    const { user, unmount } = open({ login: async () => accepted })
    await fill(user, 'demo01')
    await user.click(submit())
    unmount()
    open()
    expect(account()).toHaveValue('demo01')
  })

  it('from the third failure on, the page names a lock and the support', async () => {
    const support = { supportUrl: 'https://example.com/ho-tro' }
    const { user } = open({ login: async () => ({ ok: false }) }, support)
    await fill(user)
    // A toast says only that the login was rejected.
    const status = screen.getByRole('status')
    for (const advice of ['', '', texts.mayBeLocked]) {
      expect(status).toBeEmptyDOMElement()
      await user.click(submit())
      expect(status.firstChild?.textContent ?? '').toBe(advice)
    }
    expect(status).not.toHaveTextContent(texts.rejected)
    expect(screen.getByRole('link', { name: 'Liên hệ chăm sóc khách hàng' })).toHaveAttribute(
      'href',
      support.supportUrl,
    )
  })

  it('a banned member gets the link to the support', async () => {
    const banned = createApiError('refused', 'Tài khoản của bạn đã bị khóa.', 403)
    const login = () => Promise.reject(banned)
    const { user } = open({ login }, { supportUrl: 'https://example.com/ho-tro' })
    await logIn(user)
    expect(screen.getByRole('link', { name: 'Liên hệ chăm sóc khách hàng' })).toBeVisible()
  })

  it('a login that needs an address survives a reload, with what was typed', async () => {
    const login = async (): Promise<LoginResult> => ({ ...accepted, needsAddress: true })
    const { user, unmount } = open({ login })
    await logIn(user)
    await user.type(await screen.findByLabelText(/^Họ và tên/), 'An')
    unmount()
    const updateInfo = jest.fn(async () => true)
    const { host } = open({ updateInfo })
    expect(await screen.findByLabelText(/^Họ và tên/)).toHaveValue('An')
    await user.type(screen.getByLabelText(/^Số điện thoại/), '0900')
    await user.type(screen.getByLabelText(/^Địa chỉ/), 'Huế')
    await user.click(screen.getByRole('button', { name: 'Xác nhận' }))
    expect(updateInfo).toHaveBeenCalledWith(expect.objectContaining({ fullname: 'An' }), 'token-1')
    expect(host.visited()).toEqual(['/home'])
    expect({ ...sessionStorage }).toEqual({})
  })
})
