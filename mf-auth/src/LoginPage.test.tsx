import { createApiError } from '@anniversary/shared/client/api-error'
import type { ApiFailure, ClientApi, LoginResult } from '@anniversary/shared/contract/host'
import { createFakeHost, type FakeHostOptions } from '@anniversary/shared/testing/fake-host'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { StrictMode, Suspense } from 'react'
import LoginPage from './LoginPage.tsx'

function open(login?: ClientApi['login'], options: Omit<FakeHostOptions, 'api'> = {}) {
  const host = createFakeHost({ session: null, ...options, ...(login && { api: { login } }) })
  const user = userEvent.setup({ delay: null })
  const page = render(<LoginPage host={host} />, { wrapper: StrictMode })
  return { host, user, ...page }
}

const account = () => screen.getByRole('textbox', { name: 'Tài khoản' })
const box = (place: number) => screen.getByRole('textbox', { name: `Số thứ ${place}` })
const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Đăng nhập' })
/** jsdom paints nothing to measure contrast by; the end-to-end tests do. */
const AXE = { rules: { 'color-contrast': { enabled: false } } }
const toast = (tone: string, text: string) => ({ kind: 'toast', tone, text })

async function fill(user: ReturnType<typeof userEvent.setup>, name = 'demo01', digits = '0042') {
  if (name) await user.type(account(), name)
  await user.click(box(1))
  if (digits) await user.keyboard(digits)
}

const accepted: LoginResult = { ok: true, sign: 'token-1', username: 'demo01', needsAddress: false }

/** A login whose answer the test gives when it wants to. */
function pendingLogin() {
  const { promise, resolve, reject } = withResolvers<LoginResult>()
  return { login: jest.fn(() => promise), resolve, reject }
}
function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

describe('the form', () => {
  it('stands there whole with the very first render, waiting for nothing', () => {
    render(
      <Suspense fallback="Đang tải">
        <LoginPage host={createFakeHost()} />
      </Suspense>,
    )
    expect(screen.getAllByRole('textbox')).toHaveLength(5)
    expect(submit()).toBeVisible()
    expect(screen.queryByText('Đang tải')).not.toBeInTheDocument()
  })

  // spec: login-account-field
  it('has a heading that can take the focus, and an account field that browsers know how to fill', () => {
    open()
    expect(screen.getByRole('heading', { level: 1, name: 'Đăng nhập' })).toHaveAttribute('tabindex', '-1')
    expect(account()).toHaveAttribute('autocomplete', 'username')
    expect(account()).toHaveAttribute('autocapitalize', 'none')
  })

  it('has no violation that axe knows', async () => {
    const { container, user } = open()
    expect((await axe.run(container, AXE)).violations).toEqual([])
    await user.click(submit())
    expect((await axe.run(container, AXE)).violations).toEqual([])
  })

  it('shows also to a member who has a session', () => {
    const { host } = open(undefined, { session: { token: 't', username: 'demo01' } })
    expect(account()).toBeVisible()
    expect(host.calls).toEqual([])
  })

  it('is walked by Tab: account, four digits, submit, register, rules, back', async () => {
    const { user } = open()
    const order = []
    for (let i = 0; i < 9; i += 1) {
      await user.tab()
      const { activeElement } = document
      order.push(activeElement)
    }
    expect(order).toEqual([
      account(),
      ...[1, 2, 3, 4].map(box),
      submit(),
      ...['Đăng ký tham gia', 'Thể lệ chương trình', 'Quay về'].map((name) =>
        screen.getByRole('button', { name }),
      ),
    ])
  })
})

describe('validation', () => {
  // spec: login-validation
  it.each([
    ['nothing', '', '', 'Vui lòng nhập tài khoản', 'Tài khoản'],
    ['blanks for an account', '   ', '1234', 'Vui lòng nhập tài khoản', 'Tài khoản'],
    ['two characters', 'ab', '1234', 'Tài khoản phải có ít nhất 3 ký tự', 'Tài khoản'],
    ['two characters and blanks', ' ab ', '1234', 'Tài khoản phải có ít nhất 3 ký tự', 'Tài khoản'],
    ['no digits', 'abc', '', 'Vui lòng nhập đủ 4 số cuối', 'Số thứ 1'],
    ['three digits', 'abc', '123', 'Vui lòng nhập đủ 4 số cuối', 'Số thứ 4'],
    ['a letter among the digits', 'abc', '123x', 'Chỉ được nhập số', 'Số thứ 4'],
  ])(
    '%s: one error toast, the text beside the field, the focus in it',
    async (_, name, digits, text, field) => {
      const { host, user } = open()
      await fill(user, name, digits)
      await user.click(submit())
      expect(host.calls).toEqual([toast('error', text)])
      const wrong = screen.getByRole('textbox', { name: field })
      expect(wrong).toHaveFocus()
      expect(wrong).toBeInvalid()
      expect(wrong).toHaveAccessibleDescription(text)
      expect(screen.getAllByText(text)).toHaveLength(1)
    },
  )

  it('tells each failed attempt again, and goes to the field again', async () => {
    const { host, user } = open()
    await user.click(submit())
    await user.click(submit())
    expect(host.toasts()).toEqual(['Vui lòng nhập tài khoản', 'Vui lòng nhập tài khoản'])
    expect(account()).toHaveFocus()
  })

  it('takes the message away as soon as the field is edited', async () => {
    const { user } = open()
    await user.click(submit())
    await user.keyboard('d')
    expect(screen.queryByText('Vui lòng nhập tài khoản')).not.toBeInTheDocument()
    expect(account()).toBeValid()
  })

  // spec: digits-only
  it('says beside the boxes at once that a letter is no digit, without a toast yet', async () => {
    const { host, user } = open()
    await user.click(box(2))
    await user.keyboard('x')
    expect(screen.getByText('Chỉ được nhập số')).toBeVisible()
    expect(box(2)).toHaveFocus()
    expect(box(2)).toBeInvalid()
    expect(box(1)).toBeValid()
    expect(host.calls).toEqual([])
    await user.keyboard('{Backspace}5')
    expect(screen.queryByText('Chỉ được nhập số')).not.toBeInTheDocument()
    expect(box(3)).toHaveFocus()
  })
})

describe('a login', () => {
  // spec: login-success
  it('sends the trimmed account and the digits as text, starts the session, goes to /home', async () => {
    const login = jest.fn(async () => accepted)
    const { host, user } = open(login)
    await fill(user, ' demo01 ', '0042')
    await user.click(submit())
    expect(login.mock.calls).toEqual([[{ username: 'demo01', lastBankNumber: '0042' }]])
    expect(host.calls).toEqual([
      { kind: 'session-start', token: 'token-1', username: 'demo01' },
      { kind: 'navigate', path: '/home' },
    ])
  })

  it('is sent by Enter in a digit box too', async () => {
    const login = jest.fn(async () => accepted)
    const { host, user } = open(login)
    await fill(user)
    await user.keyboard('{Enter}')
    expect(login).toHaveBeenCalledTimes(1)
    expect(host.visited()).toEqual(['/home'])
  })

  it('is sent once however often the button is tapped, before and after the answer', async () => {
    const { login, resolve } = pendingLogin()
    const { host, user } = open(login)
    await fill(user)
    await user.dblClick(submit())
    await user.keyboard('{Enter}')
    expect(submit()).toHaveAttribute('aria-busy', 'true')
    expect(submit()).toHaveFocus()
    await act(async () => resolve(accepted))
    await user.click(submit())
    await user.type(box(4), '{Enter}')
    expect(login).toHaveBeenCalledTimes(1)
    expect(host.visited()).toEqual(['/home'])
  })

  it('is sent once when a password manager submits twice before the page could show that it is busy', async () => {
    const { login } = pendingLogin()
    const { user } = open(login)
    await fill(user)
    const { form } = submit()
    act(() => {
      form?.requestSubmit()
      form?.requestSubmit()
    })
    expect(login).toHaveBeenCalledTimes(1)
  })

  it('that is rejected says so in a toast and beside the button, once each, and can be repeated', async () => {
    const login = jest.fn<Promise<LoginResult>, []>()
    login.mockResolvedValueOnce({ ok: false }).mockResolvedValueOnce(accepted)
    const { host, user } = open(login)
    await fill(user)
    await user.click(submit())
    const text = 'Tài khoản hoặc mật khẩu không chính xác!'
    expect(host.calls).toEqual([toast('error', text)])
    expect(screen.getAllByText(text)).toHaveLength(1)
    expect(account()).toHaveValue('demo01')
    expect(box(4)).toHaveValue('2')
    await user.click(submit())
    expect(screen.queryByText(text)).not.toBeInTheDocument()
    expect(host.visited()).toEqual(['/home'])
  })

  it('that was rejected no longer says so once the account is edited', async () => {
    const { user } = open(async () => ({ ok: false }))
    await fill(user)
    await user.click(submit())
    await user.type(account(), 'x')
    expect(screen.queryByText('Tài khoản hoặc mật khẩu không chính xác!')).not.toBeInTheDocument()
  })

  it.each<[ApiFailure, string, number?]>([
    ['unauthorized', 'Phiên đăng nhập không hợp lệ', 401],
    ['refused', 'Bạn thao tác quá nhanh. Vui lòng thử lại sau.', 429],
    ['refused', 'Dữ liệu không hợp lệ', 400],
    ['unreachable', 'Không thể kết nối đến máy chủ. Vui lòng thử lại sau!'],
  ])(
    "that fails (%s) adds no toast to the interceptor's, keeps its words, can be repeated",
    async (...failure) => {
      const [kind, text, status] = failure
      const login = jest.fn<Promise<LoginResult>, []>()
      login.mockRejectedValueOnce(createApiError(kind, text, status)).mockResolvedValueOnce(accepted)
      const { host, user } = open(login)
      await fill(user)
      await user.click(submit())
      expect(host.calls).toEqual([])
      expect(screen.getByText(text)).toBeVisible()
      await user.click(submit())
      expect(host.visited()).toEqual(['/home'])
    },
  )

  it('that fails without a word says that the server is out of reach', async () => {
    const { user } = open(() => Promise.reject(createApiError('unreachable', '')))
    await fill(user)
    await user.click(submit())
    expect(screen.getByText('Không thể kết nối đến máy chủ. Vui lòng thử lại sau!')).toBeVisible()
  })

  it.each(['answered', 'failed'])('that is %s after the member went back changes nothing', async (end) => {
    const { login, resolve, reject } = pendingLogin()
    const { host, user, unmount } = open(login)
    await fill(user)
    await user.click(submit())
    await user.click(screen.getByRole('button', { name: 'Quay về' }))
    unmount()
    await act(async () => {
      if (end === 'answered') resolve(accepted)
      else reject(createApiError('unreachable', ''))
    })
    expect(host.calls).toEqual([{ kind: 'navigate', path: '/' }])
  })

  it('that the browser will not keep says how to allow it', async () => {
    const { host, user } = open(async () => accepted)
    jest.spyOn(host.session, 'start').mockImplementation(() => {
      throw Object.assign(new Error('blocked'), { name: 'StorageBlockedError' })
    })
    await fill(user)
    await user.click(submit())
    expect(screen.getByRole('alert')).toHaveTextContent('Trình duyệt đang chặn cookie')
    expect(host.calls).toEqual([])
    expect(submit()).not.toHaveAttribute('aria-busy')
  })
})

describe('the ways out', () => {
  // spec: register-configured
  it('registers at the configured address, in the same tab', async () => {
    // The same document, since jsdom goes nowhere else.
    const { host, user } = open(undefined, { config: { registerUrl: 'http://localhost/#dang-ky' } })
    await user.click(screen.getByRole('button', { name: 'Đăng ký tham gia' }))
    expect(location.href).toBe('http://localhost/#dang-ky')
    expect(host.calls).toEqual([])
  })

  // spec: register-default
  it('registers at /megalive where none is configured, whatever the address bar says', async () => {
    history.replaceState(null, '', '/login?registerUrl=https://evil.example&next=//evil.example')
    const { host, user } = open()
    const button = screen.getByRole('button', { name: 'Đăng ký tham gia' })
    expect(within(button).getByRole('img', { name: 'Đăng ký tham gia' })).toBeVisible()
    await user.click(button)
    expect(host.calls).toEqual([{ kind: 'navigate', path: '/megalive' }])
    history.replaceState(null, '', '/')
  })

  // spec: login-rules
  it('opens the rules', async () => {
    const { host, user } = open()
    await user.click(screen.getByRole('button', { name: 'Thể lệ chương trình' }))
    expect(host.calls).toEqual([{ kind: 'rules' }])
  })

  // spec: login-back
  it('goes back to the landing page', async () => {
    const { host, user } = open()
    await user.click(screen.getByRole('button', { name: 'Quay về' }))
    expect(host.calls).toEqual([{ kind: 'navigate', path: '/' }])
  })
})
