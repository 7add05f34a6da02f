import type { Page } from '@playwright/test'
import { startFaultyProxy } from '../src/faulty-proxy.ts'
import {
  backOffice,
  card,
  enter,
  expect,
  fillDigits,
  saveSession,
  sessionCookies,
  test,
} from '../src/member-test.ts'
import { error, expectSaid, warning } from './said.ts'

/**
 * The error catalogue (specification, section 8) and the messages of the validation rules (section 5), each produced
 * in the way in which a member meets it. Texts are repeated here on purpose: they are the specification's.
 */

const UNREACHABLE = 'Không thể kết nối đến máy chủ. Vui lòng thử lại sau!'
const EXPIRED_HOME = 'Phiên đăng nhập đã hết hạn. Vui lòng xác minh tại tài khoản để tiếp tục!'
const EXPIRED_HISTORY = 'Phiên đăng nhập đã hết hạn. Vui lòng đăng nhập lại để tiếp tục!'

const LOGIN = 'POST /api/client/login'
const INFO = 'GET /api/client/info'
const TAKE = 'POST /api/client/take-code'
const HISTORY = 'GET /api/client/history'
const UPDATE = 'POST /api/client/update-info'

const refusal = (message?: string) => ({
  do: 'answer' as const,
  body: { status_code: 4220, ...(message && { message }), data: null },
})
const broken = (status: number, message?: string) => ({
  do: 'answer' as const,
  status,
  ...(message && { body: { status_code: status, message, data: null } }),
})

test.beforeEach(async ({ page, log, expectedErrors }) => {
  // Chromium itself writes a line for each answer of 400 and above, and for each cut connection.
  expectedErrors.push(/^Failed to load resource/)
  expect(log.toasts).toEqual([])
  await page.clock.install()
})

test.describe('response interceptor', () => {
  const tryToLogIn = async (page: Page, url: string) => {
    await page.goto(`${url}/login`)
    await page.getByLabel('Tài khoản', { exact: true }).fill('demo01')
    await fillDigits(page, '1234')
    await page.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
  }

  // spec: http-400
  test('HTTP 400: the server’s message as a warning toast', async ({ page, log, context, stack }) => {
    await enter(context, stack.url, 'demo01')
    await page.goto('/home')
    await card(page, /Chia sẻ/)
      .getByRole('button', { name: 'Nhận vé' })
      .click()
    // The real server takes no link of more than 2048 characters.
    for (const field of await page.getByRole('dialog').getByRole('textbox').all())
      await field.fill(`https://facebook.com/${'a'.repeat(2100)}`)
    await page.getByRole('button', { name: 'Gửi liên kết' }).click()
    await expectSaid(page, log, [
      warning('Vui lòng nhập đầy đủ 4 URL!'),
      error('Có lỗi xảy ra khi submit URL. Vui lòng thử lại!'),
    ])
  })

  // spec: other-status
  test('another status: the server’s message as an error toast', async ({ page, log, faulty }) => {
    faulty.break(LOGIN, broken(503, 'Hệ thống đang bận. Vui lòng thử lại sau ít phút!'))
    await tryToLogIn(page, faulty.url)
    await expectSaid(page, log, [error('Hệ thống đang bận. Vui lòng thử lại sau ít phút!')])
    await expect(page.getByText('Hệ thống đang bận. Vui lòng thử lại sau ít phút!')).toHaveCount(1)
  })

  // spec: rate-limit
  test('a limit of the real server: its message as an error toast, and on the page', async ({
    page,
    log,
    stack,
  }) => {
    const limited = await startFaultyProxy(stack.url, '127.0.0.8')
    const ask = () =>
      fetch(`${limited.url}/api/client/check`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ site: 'ANNIVERSARY', by: 'username', value: 'demo01' }),
      })
    while ((await ask()).status !== 429);
    await page.goto(`${limited.url}/check`)
    await page.getByLabel('Nội dung kiểm tra').fill('demo01')
    await page.getByRole('button', { name: 'KIỂM TRA NGAY' }).click()
    await expectSaid(page, log, [error('Bạn thao tác quá nhanh. Vui lòng thử lại sau!')])
    await expect(page.getByText('Bạn thao tác quá nhanh. Vui lòng thử lại sau!')).toBeVisible()
    await limited.close()
  })

  // spec: answer-without-message
  test('an answer without a message: the words for a lost connection', async ({ page, log, faulty }) => {
    faulty.break(LOGIN, broken(500))
    await tryToLogIn(page, faulty.url)
    await expectSaid(page, log, [error(UNREACHABLE)])
  })

  // spec: no-answer
  test('no answer: the words for a lost connection, and the form can be sent again', async ({
    page,
    log,
    faulty,
  }) => {
    faulty.break(LOGIN, { do: 'cut' })
    await tryToLogIn(page, faulty.url)
    await expectSaid(page, log, [error(UNREACHABLE)])
    faulty.mend()
    await page.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
    await expect(page).toHaveURL(`${faulty.url}/home`)
  })

  // spec: 401
  test('401: after 0.5 s token and username are removed and the member is at /login', async ({
    page,
    log,
    context,
    faulty,
  }) => {
    await enter(context, faulty.url, 'demo01')
    await page.goto(`${faulty.url}/histories`)
    await expect(
      page.getByRole('table').first().or(page.getByText('Không có lịch sử nhiệm vụ')),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Quay về' }).click()
    faulty.break(TAKE, broken(401, 'Tài khoản đã đăng nhập ở nơi khác'))
    await card(page, '300').getByRole('button', { name: 'Nhận vé' }).click()
    await expect(page).toHaveURL(`${faulty.url}/login`)
    expect(await sessionCookies(context)).toEqual([])
    const [said] = log.toasts
    const left = log.moves.find(({ path }) => path === '/login')
    expect(said?.cookies, 'kept until then').toMatch(/token=.+; .*username=demo01/)
    expect(left?.cookies, 'removed before the member leaves').toBe('')
    expect((left?.at ?? 0) - (said?.shownAt ?? 0)).toBeGreaterThanOrEqual(500)
    expect((left?.at ?? 0) - (said?.shownAt ?? 0)).toBeLessThan(2000)
    await expectSaid(page, log, [
      { ...error('Tài khoản đã đăng nhập ở nơi khác'), ms: null },
      warning(EXPIRED_HOME),
    ])
  })

  // spec: 401-without-message
  test('401 without a message', async ({ page, log, context, faulty }) => {
    await enter(context, faulty.url, 'demo01')
    faulty.break(HISTORY, broken(401))
    await page.goto(`${faulty.url}/histories`)
    await expect(page).toHaveURL(`${faulty.url}/login`)
    await expectSaid(page, log, [error(UNREACHABLE), warning(EXPIRED_HISTORY)])
  })
})

test.describe('session', () => {
  // spec: home-without-token
  test('home without a saved token: to /login with the warning, and the page reloads', async ({
    page,
    log,
    stack,
  }) => {
    await page.goto('/home')
    await expect(page).toHaveURL(`${stack.url}/login`)
    expect(log.moves.filter(({ loaded }) => loaded).map(({ path }) => path)).toEqual(['/home', '/login'])
    await expectSaid(page, log, [warning(EXPIRED_HOME)])
    await page.goBack().catch(() => null)
    expect(new URL(page.url()).pathname).not.toBe('/home')
  })

  // spec: home-with-dead-token
  test('home with a token that the server no longer knows: its words, then the warning after the reload', async ({
    page,
    log,
    context,
    stack,
  }) => {
    await saveSession(context, stack.url, 'x'.repeat(43), 'demo01')
    await page.goto('/home')
    await expect(page).toHaveURL(`${stack.url}/login`)
    expect(log.moves.filter(({ loaded }) => loaded).map(({ path }) => path)).toEqual(['/home', '/login'])
    expect(await sessionCookies(context)).toEqual([])
    await expectSaid(page, log, [{ ...error(EXPIRED_HISTORY), ms: null }, warning(EXPIRED_HOME)])
  })

  // spec: history-without-token
  test('history without a saved token: to /login with its own warning', async ({ page, log, stack }) => {
    await page.goto('/histories')
    await expect(page).toHaveURL(`${stack.url}/login`)
    await expectSaid(page, log, [warning(EXPIRED_HISTORY)])
  })

  // spec: history-with-dead-token
  test('history with a token that the server no longer knows: said once, though server and page say the same', async ({
    page,
    log,
    context,
    stack,
  }) => {
    await saveSession(context, stack.url, 'x'.repeat(43), 'demo01')
    await page.goto('/histories')
    await expect(page).toHaveURL(`${stack.url}/login`)
    expect(await sessionCookies(context)).toEqual([])
    await expect.poll(() => log.toasts.map(({ text }) => text)).toEqual([EXPIRED_HISTORY])
    await page.clock.runFor(5000)
    expect(log.toasts.map(({ text }) => text)).toEqual([EXPIRED_HISTORY])
  })

  // spec: missing-token
  test('missing token: cookies removed while the page is open', async ({ page, log, context, faulty }) => {
    await enter(context, faulty.url, 'demo01')
    await page.goto(`${faulty.url}/home`)
    await expect(card(page, '300')).toBeVisible()
    await context.clearCookies()
    const before = faulty.calls.length
    await card(page, '300').getByRole('button', { name: 'Nhận vé' }).click()
    await expect(page).toHaveURL(`${faulty.url}/login`)
    expect(faulty.calls.length, 'nothing was sent').toBe(before)
    await expectSaid(page, log, [error('Token không tồn tại. Vui lòng đăng nhập lại!')])
  })
})

test.describe('crash while rendering', () => {
  // spec: crash
  test('the view is replaced by the message, once, logged to the console, with a way to reload', async ({
    page,
    log,
    context,
    faulty,
    expectedErrors,
  }) => {
    const logged: string[] = []
    expectedErrors.push(/Objects are not valid as a React child|Minified React error/)
    page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
    await enter(context, faulty.url, 'demo01')
    // Not what the contract allows, so the page cannot draw it.
    const mission = { event_code_detail: 'NAP_300', name: { text: 'x' }, code: '', claimed: 2 }
    faulty.break(INFO, { do: 'answer', body: { status_code: 200, data: [mission] } })
    await page.goto(`${faulty.url}/home`)
    await expect(page.getByRole('alert')).toContainText('Đã có lỗi. Vui lòng tải lại trang.')
    await expect(page.getByRole('heading', { name: 'Nhiệm vụ nhận vé' })).toBeHidden()
    // #31: objects are not valid as a React child.
    expect(logged.filter((text) => /React error #31/.test(text))).toHaveLength(1)
    expect(log.toasts, 'nothing else is done').toEqual([])
    faulty.mend()
    await page.getByRole('button', { name: 'Tải lại trang' }).click()
    await expect(card(page, '300')).toBeVisible()
  })
})

test.describe('missions', () => {
  test.beforeEach(async ({ context, faulty }) => enter(context, faulty.url, 'demo01'))

  for (const [how, fault] of [
    ['HTTP 500', broken(500)],
    ['no answer', { do: 'cut' as const }],
  ] as const) {
    // spec: missions-fail
    test(`load failure (${how}): both messages once, inline too, and a retry that works`, async ({
      page,
      log,
      faulty,
    }) => {
      faulty.break(INFO, fault)
      await page.goto(`${faulty.url}/home`)
      await expectSaid(page, log, [
        error(UNREACHABLE),
        error('Không thể tải dữ liệu nhiệm vụ. Vui lòng thử lại!'),
      ])
      await expect(page.getByRole('main').getByText('Không thể tải dữ liệu nhiệm vụ.')).toBeVisible()
      faulty.mend()
      await page.getByRole('button', { name: 'Thử lại' }).click()
      await expect(card(page, '300')).toBeVisible()
    })
  }

  // spec: missions-refused
  test('load answered with another status_code: the page’s message', async ({ page, log, faulty }) => {
    faulty.break(INFO, refusal())
    await page.goto(`${faulty.url}/home`)
    await expectSaid(page, log, [error('Không thể tải dữ liệu nhiệm vụ. Vui lòng thử lại!')])
  })

  // spec: claim-refused
  test('a claim that the real server refuses: its message in an error dialog, then the page reloads', async ({
    page,
    log,
    faulty,
    stack,
  }) => {
    const tell = (event: object) =>
      backOffice(stack.url, 'activity', { events: [{ source: 'demo', username: 'demo01', ...event }] })
    const occurred_at = '2025-08-19T12:00:00+07:00'
    await page.goto(`${faulty.url}/home`)
    const tenDeposits = card(page, '10 lần')
    await expect(tenDeposits.getByRole('button', { name: 'Nhận vé' })).toBeVisible()
    // One of the ten deposits turns out to be none, after the list was loaded.
    await tell({ ref: 'undone', kind: 'reversal', reverses: 'demo01-14', occurred_at })
    try {
      await tenDeposits.getByRole('button', { name: 'Nhận vé' }).click()
      const dialog = page.getByRole('dialog', { name: 'Chưa nhận được vé' })
      await expect(dialog).toContainText('Bạn chưa đủ điều kiện để nhận vé')
      const loads = log.moves.length
      await dialog.getByRole('button', { name: 'Đóng' }).last().click()
      await expect.poll(() => log.moves.length).toBe(loads + 1)
      expect(log.moves.at(-1)).toMatchObject({ path: '/home', loaded: true })
      await expect(tenDeposits.getByRole('button', { name: 'Chưa Đạt' })).toBeDisabled()
      expect(log.toasts, 'the dialog says it, and nothing else').toEqual([])
    } finally {
      await tell({ ref: 'again', kind: 'deposit', amount: 100, occurred_at })
    }
  })

  // spec: claim-refused-without-message
  test('a claim refused without a message: the dialog says that the mission was not found', async ({
    page,
    log,
    faulty,
  }) => {
    faulty.break(TAKE, refusal())
    await page.goto(`${faulty.url}/home`)
    await card(page, '300').getByRole('button', { name: 'Nhận vé' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Không tìm thấy thông tin nhiệm vụ')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect.poll(() => log.moves.filter(({ loaded }) => loaded)).toHaveLength(2)
    expect(log.toasts).toEqual([])
  })

  // spec: claim-fails
  test('a claim that fails: both messages once, and the card can be pressed again', async ({
    page,
    log,
    faulty,
  }) => {
    faulty.break(TAKE, broken(500, 'Hệ thống gặp sự cố. Vui lòng thử lại sau!'))
    await page.goto(`${faulty.url}/home`)
    const button = card(page, '300').getByRole('button', { name: 'Nhận vé' })
    await button.click()
    await expectSaid(page, log, [
      error('Hệ thống gặp sự cố. Vui lòng thử lại sau!'),
      error('Có lỗi xảy ra khi nhận phần thưởng. Vui lòng thử lại!'),
    ])
    await expect(button).toBeEnabled()
    expect(
      faulty.calls.filter((call) => call === TAKE),
      'never retried by itself',
    ).toHaveLength(1)
  })

  // spec: claim-without-codes
  test('a claim without codes: said in the dialog', async ({ page, log, faulty }) => {
    faulty.break(TAKE, { do: 'answer', body: { status_code: 200, data: [] } })
    await page.goto(`${faulty.url}/home`)
    await card(page, '300').getByRole('button', { name: 'Nhận vé' }).click()
    await expect(page.getByRole('dialog')).toContainText('Không có mã dự thưởng để hiển thị')
    expect(log.toasts).toEqual([])
  })

  // spec: share-fails
  test('share links that fail to arrive: both messages once, inline in the dialog, links kept', async ({
    page,
    log,
    faulty,
  }) => {
    faulty.break(TAKE, { do: 'cut' })
    await page.goto(`${faulty.url}/home`)
    await card(page, /Chia sẻ/)
      .getByRole('button', { name: 'Nhận vé' })
      .click()
    const fields = await page.getByRole('dialog').getByRole('textbox').all()
    for (const [index, field] of fields.entries()) await field.fill(`https://facebook.com/posts/${index}`)
    await page.getByRole('button', { name: 'Gửi liên kết' }).click()
    await expectSaid(page, log, [
      error(UNREACHABLE),
      error('Có lỗi xảy ra khi submit URL. Vui lòng thử lại!'),
    ])
    await expect(page.getByRole('dialog')).toContainText('Có lỗi xảy ra khi submit URL. Vui lòng thử lại!')
    await expect(fields[3] ?? page.locator('none')).toHaveValue('https://facebook.com/posts/3')
  })

  const askForStreak = async (page: Page, start: string, end: string) => {
    await card(page, /liên tiếp/)
      .getByRole('button', { name: 'Kiểm tra' })
      .click()
    await page.getByLabel('Ngày bắt đầu').fill(start)
    await page.getByLabel('Ngày kết thúc').fill(end)
    await page.getByRole('dialog').getByRole('button', { name: 'Kiểm tra' }).click()
  }

  // spec: streak-refused
  test('a streak that the real server does not find: its message', async ({ page, log, faulty }) => {
    await page.goto(`${faulty.url}/home`)
    await askForStreak(page, '2025-08-02', '2025-08-06')
    await expectSaid(page, log, [
      error('Bạn chưa nạp tiền đủ 5 ngày liên tiếp trong khoảng thời gian đã chọn'),
    ])
    await expect(page.getByRole('dialog')).toContainText('Bạn chưa nạp tiền đủ 5 ngày liên tiếp')
  })

  // spec: streak-refused-without-message
  test('a streak refused without a message', async ({ page, log, faulty }) => {
    faulty.break(TAKE, refusal())
    await page.goto(`${faulty.url}/home`)
    await askForStreak(page, '2025-08-02', '2025-08-06')
    await expectSaid(page, log, [error('Bạn chưa đủ điều kiện để nhận vé')])
  })

  // spec: streak-fails
  test('a streak check that fails: both messages once', async ({ page, log, faulty }) => {
    faulty.break(TAKE, { do: 'cut' })
    await page.goto(`${faulty.url}/home`)
    await askForStreak(page, '2025-08-02', '2025-08-06')
    await expectSaid(page, log, [error(UNREACHABLE), error('Có lỗi xảy ra khi kiểm tra. Vui lòng thử lại!')])
  })
})

test.describe('login and address', () => {
  // spec: wrong-digits
  test('wrong digits, by the real server: said once as a toast and once beside the button', async ({
    page,
    log,
    context,
    stack,
  }) => {
    await page.goto('/login')
    await page.getByLabel('Tài khoản', { exact: true }).fill('nobody-here')
    await fillDigits(page, '0000')
    await page.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
    await expectSaid(page, log, [error('Tài khoản hoặc mật khẩu không chính xác!')])
    await expect(page.getByText('Tài khoản hoặc mật khẩu không chính xác!')).toHaveCount(1)
    await expect(page).toHaveURL(`${stack.url}/login`)
    expect(await sessionCookies(context)).toEqual([])
  })

  for (const [how, fault, said] of [
    ['data is not true', { do: 'answer', body: { status_code: 200, data: false } } as const, []],
    ['no answer', { do: 'cut' } as const, [error(UNREACHABLE)]],
  ] as const) {
    // spec: address-fails
    test(`address not saved (${how}): its message, values kept, no session`, async ({
      page,
      log,
      context,
      faulty,
    }) => {
      faulty.break(UPDATE, fault)
      await page.goto(`${faulty.url}/login`)
      await page.getByLabel('Tài khoản', { exact: true }).fill('demo02')
      await fillDigits(page, '0042')
      await page.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Họ và tên').fill('Nguyễn Thị Ánh')
      await dialog.getByLabel('Số điện thoại').fill('0912345678')
      await dialog.getByLabel('Địa chỉ').fill('12 Đường Hoa, Huế')
      await dialog.getByRole('button', { name: 'Xác nhận' }).click()
      await expectSaid(page, log, [...said, error('Cập nhật thông tin thất bại. Vui lòng thử lại!')])
      await expect(dialog).toContainText('Cập nhật thông tin thất bại. Vui lòng thử lại!')
      await expect(dialog.getByLabel('Địa chỉ')).toHaveValue('12 Đường Hoa, Huế')
      expect(await sessionCookies(context)).toEqual([])
    })
  }
})

test.describe('history', () => {
  test.beforeEach(async ({ context, faulty }) => enter(context, faulty.url, 'demo03'))

  for (const [how, fault, said] of [
    ['refused with a message', refusal('Sự kiện đang được bảo trì'), [error('Sự kiện đang được bảo trì')]],
    ['refused without one', refusal(), [error('Không thể tải lịch sử nhiệm vụ')]],
    ['no answer', { do: 'cut' } as const, [error(UNREACHABLE), error('Không thể tải lịch sử nhiệm vụ')]],
  ] as const) {
    // spec: history-fails
    test(`failure (${how}): said once, inline too, and a retry that works`, async ({ page, log, faulty }) => {
      faulty.break(HISTORY, fault)
      await page.goto(`${faulty.url}/histories`)
      await expectSaid(page, log, said)
      await expect(page.getByRole('main').getByText(said.at(-1)?.text ?? '')).toBeVisible()
      faulty.mend()
      await page.getByRole('button', { name: 'Thử lại' }).click()
      await expect(page.getByRole('table')).toHaveCount(2)
    })
  }
})

test.describe('validation', () => {
  for (const [about, account, digits, text, field] of [
    ['no account', '', '1234', 'Vui lòng nhập tài khoản', 'Tài khoản'],
    ['two characters', 'ab', '1234', 'Tài khoản phải có ít nhất 3 ký tự', 'Tài khoản'],
    ['three digits', 'abc', '123', 'Vui lòng nhập đủ 4 số cuối', 'Số thứ 4'],
    ['a letter', 'abc', '12x', 'Chỉ được nhập số', 'Số thứ 3'],
  ] as const) {
    // spec: login-required
    test(`login, ${about}: toast, inline, focus; nothing sent`, async ({ page, log, faulty }) => {
      await page.goto(`${faulty.url}/login`)
      await page.getByLabel('Tài khoản', { exact: true }).fill(account)
      await fillDigits(page, digits)
      await page.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
      await expectSaid(page, log, [error(text)])
      const wrong = page.getByRole('textbox', { name: field, exact: true })
      await expect(wrong).toBeFocused()
      await expect(wrong).toHaveAccessibleDescription(text)
      expect(faulty.calls).toEqual([])
    })
  }

  // spec: check-required
  test('check, empty: toast, inline, focus; nothing sent', async ({ page, log, faulty }) => {
    await page.goto(`${faulty.url}/check`)
    await page.getByRole('button', { name: 'KIỂM TRA NGAY' }).click()
    const text = 'Vui lòng nhập thông tin tìm kiếm để tiếp tục!'
    await expectSaid(page, log, [error(text)])
    await expect(page.getByLabel('Nội dung kiểm tra')).toHaveAccessibleDescription(text)
    expect(faulty.calls).toEqual([])
  })

  // spec: address-required
  test('address: confirm disabled until name, phone and address are filled; the note may stay empty', async ({
    page,
    faulty,
  }) => {
    await page.goto(`${faulty.url}/login`)
    await page.getByLabel('Tài khoản', { exact: true }).fill('demo02')
    await fillDigits(page, '0042')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Xác nhận' })
    for (const [label, value] of [
      ['Họ và tên', 'Ánh'],
      ['Số điện thoại', 'không có'],
      ['Địa chỉ', 'Huế'],
    ] as const) {
      await expect(confirm).toBeDisabled()
      await dialog.getByLabel(label).fill(value)
    }
    await expect(confirm).toBeEnabled()
  })

  for (const [about, links] of [
    ['one left empty', ['https://facebook.com/1', '', 'https://facebook.com/3', 'https://facebook.com/4']],
    [
      'one of another site',
      ['https://facebook.com/1', 'https://x.example/', 'https://facebook.com/3', 'https://facebook.com/4'],
    ],
  ] as const) {
    // spec: share-required
    test(`share, ${about}: toast, inline, focus; nothing sent`, async ({ page, log, context, faulty }) => {
      await enter(context, faulty.url, 'demo01')
      await page.goto(`${faulty.url}/home`)
      await card(page, /Chia sẻ/)
        .getByRole('button', { name: 'Nhận vé' })
        .click()
      const fields = await page.getByRole('dialog').getByRole('textbox').all()
      for (const [index, field] of fields.entries()) await field.fill(links[index] ?? '')
      await page.getByRole('button', { name: 'Gửi liên kết' }).click()
      await expectSaid(page, log, [error('Có Link chia sẻ chưa hợp lệ')])
      await expect(page.getByRole('textbox', { name: 'Liên kết chia sẻ 2' })).toBeFocused()
      await expect(page.getByRole('dialog')).toContainText('Có Link chia sẻ chưa hợp lệ')
      expect(faulty.calls).not.toContain(TAKE)
    })
  }

  for (const [about, start, end, focus] of [
    ['both dates missing', '', '', 'Ngày bắt đầu'],
    ['the end missing', '2025-08-02', '', 'Ngày kết thúc'],
  ] as const) {
    // spec: streak-required
    test(`streak, ${about}: toast, inline, focus; nothing sent`, async ({ page, log, context, faulty }) => {
      await enter(context, faulty.url, 'demo01')
      await page.goto(`${faulty.url}/home`)
      await card(page, /liên tiếp/)
        .getByRole('button', { name: 'Kiểm tra' })
        .click()
      await page.getByLabel('Ngày bắt đầu').fill(start)
      await page.getByLabel('Ngày kết thúc').fill(end)
      await page.getByRole('dialog').getByRole('button', { name: 'Kiểm tra' }).click()
      const text = 'Vui lòng nhập đầy đủ ngày bắt đầu và ngày kết thúc.'
      await expectSaid(page, log, [error(text)])
      await expect(page.getByRole('dialog')).toContainText(text)
      await expect(page.getByLabel(focus)).toBeFocused()
      expect(faulty.calls).not.toContain(TAKE)
    })
  }
})

// spec: copied-link
test('a copied link is said for 1200 ms', async ({ page, log, context, stack }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await enter(context, stack.url, 'demo01')
  await page.goto('/home')
  await card(page, /Chia sẻ/)
    .getByRole('button', { name: 'Nhận vé' })
    .click()
  await page.getByRole('button', { name: 'Sao chép liên kết' }).click()
  await expectSaid(page, log, [{ kind: 'Thành công', text: 'Đã sao chép liên kết!', ms: 1200 }])
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${stack.url}/`)
})
