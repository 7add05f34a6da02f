import { createApiError } from '@anniversary/shared/client/api-error'
import { COPY_TOAST_MS } from '@anniversary/shared/contract/event'
import type {
  ApiFailure,
  DrawResults,
  HistoryResult,
  TicketEntry,
} from '@anniversary/shared/contract/host'
import { createFakeHost, type FakeHostOptions } from '@anniversary/shared/testing/fake-host'
import { pending } from '@anniversary/shared/testing/pending'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { sampleGiftcodes, sampleHistory, sampleTickets } from './fixtures.ts'
import HistoryPage from './HistoryPage.tsx'
import { historyTexts as texts } from './texts.ts'

function open(history: () => Promise<HistoryResult>, options: FakeHostOptions = {}) {
  const asked = jest.fn(history)
  const host = createFakeHost({ ...options, api: { history: asked, ...options.api } })
  // Before the render: it installs a clipboard.
  const user = userEvent.setup({ delay: null })
  const page = render(<HistoryPage host={host} />, { wrapper: StrictMode })
  return { host, asked, user, ...page }
}
const live = () => new Date()

const ticket = (codes: readonly string[], more: Partial<TicketEntry> = {}) => ({
  mission: 'X',
  name: 'x',
  codes,
  claimedAt: '',
  prizes: [],
  ...more,
})

const answer = (result: HistoryResult) => () => Promise.resolve(result)
const fail = (failure: ApiFailure, status?: number) => () =>
  Promise.reject(createApiError(failure, 'The interceptor has shown this', status))

// By its elements: jsdom spends milliseconds on each role.
const rowsOf = (region: HTMLElement) =>
  [...region.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  )

const ticketRegion = () => screen.findByRole('region', { name: /^Vé số may mắn/ })
const loaded = () => screen.findByText(/^Vé số may mắn/)
const giftRegion = () => screen.findByRole('region', { name: /^Lịch sử đổi gift code/ })
const failure = () => screen.findByText(texts.failed)

describe('the ticket table', () => {
  // spec: ticket-table
  it('rows show time, joined codes and the mission in capitals', async () => {
    const entry = ticket([], { claimedAt: 'hôm qua' })
    open(answer(sampleHistory({ tickets: [...sampleTickets.slice(2, 4).reverse(), entry] })))
    const table = within(await ticketRegion()).getByRole('table')
    const heads = within(table).getAllByRole('columnheader')
    expect(heads.map((head) => head.textContent)).toEqual(['Thời gian', 'Mã dự thưởng', 'Nhiệm vụ'])
    expect(rowsOf(table)).toEqual([
      ['20:05 13/08/2025', 'A51C-20QB-17CB, Z07K-9M4T-XW2E', 'TỔNG NẠP 15.000 ĐIỂM'],
      ['20:05 12/08/2025', 'A51C-20QB-17C2', 'NẠP TIỀN 5 NGÀY LIÊN TIẾP'],
      ['hôm qua', '', 'X'],
    ])
    expect(within(table).getAllByRole('button', { name: /Sao chép/ })).toHaveLength(2)
    expect(screen.getByText('demo01')).toBeVisible()
  })

  // spec: history-capitals
  it('a decomposed name is composed before it is upper-cased', async () => {
    const name = 'Chia sẻ đường liên kết ở nhiều nền tảng'.normalize('NFD')
    open(answer(sampleHistory({ tickets: [ticket(['A'], { name })] })))
    expect(rowsOf(await ticketRegion())[0]?.[2]).toBe(
      'CHIA SẺ ĐƯỜNG LIÊN KẾT Ở NHIỀU NỀN TẢNG'.normalize('NFC'),
    )
  })
})

it('a row names the numbers of its codes in lists and the delivery of a prize', async () => {
  const [code, other] = ['A51C-20QB-17CB', 'Z07K-9M4T-XW2E'] as const
  const lists = [
    { code, draw: 1, position: 212_044 },
    { code: other, draw: 1, position: 7 },
    { code: other, draw: 2, position: 5 },
  ]
  const until = '2025-10-09T23:59:59+07:00'
  const win = (code: string, deliveredAt: string | null) => ({
    code,
    draw: 1,
    prize: 'Xe máy',
    delivery: { deliveredAt, until },
  })
  const entries = [
    ticket([code, other], { lists, prizes: [win(code, '2025-09-20T09:00:00+07:00')] }),
    ticket([code, other], { lists, prizes: [win(other, null)] }),
  ]
  open(answer(sampleHistory({ tickets: entries })))
  const cells = rowsOf(await ticketRegion()).map(([, cell]) => cell)
  expect(cells[0]).toMatch(
    /Đã trao giải lúc 09:00 20\/09\/2025A51C-20QB-17CB: số 212.044 trong danh sách lần 1Z07K-9M4T-XW2E: số 7 trong danh sách lần 1 · số 5 lần 2/,
  )
  expect(cells[1]).toContain('Chưa trao, nhận giải đến hết 09/10/2025')
})

describe('a gift code that was won', () => {
  const until = '2025-10-09T23:59:59+07:00'
  const now = () => new Date('2025-10-09T23:59:00+07:00')
  const answerOf = (deliveredAt: string | null, isGiftcode = true) => {
    const win = { code: 'A', draw: 1, prize: 'Code 999k', delivery: { deliveredAt, until } }
    return sampleHistory({ tickets: [ticket(['A'], { prizes: [{ ...win, isGiftcode }] })] })
  }
  const button = () => screen.queryByRole('button', { name: 'Đổi gift code' })

  it('its button exchanges it once and reloads the history', async () => {
    const { promise, resolve } = pending<typeof sampleGiftcodes>()
    const tradeGiftcode = jest.fn(() => promise)
    const { host, asked, user } = open(answer(answerOf(null)), { api: { tradeGiftcode }, now })
    expect(await screen.findByText(/^Chúc mừng!/)).toHaveTextContent(
      /Code 999k. Hãy đổi gift code trong lịch sử nhận vé, đến hết ngày 09\/10\/2025.$/,
    )
    expect(screen.getByText('Chưa đổi, đổi đến hết 09/10/2025')).toBeVisible()
    await user.dblClick(button() as HTMLElement)
    expect(button()).toHaveAttribute('aria-busy', 'true')
    expect(tradeGiftcode).toHaveBeenCalledTimes(1)
    const exchanged = answerOf('2025-09-09T21:15:00+07:00')
    asked.mockResolvedValue({ ...exchanged, giftcodes: sampleGiftcodes } as HistoryResult)
    await act(async () => resolve(sampleGiftcodes))
    expect(await giftRegion()).toHaveTextContent('GIFT-999K-0001')
    expect(screen.getByText('Đã đổi gift code lúc 21:15 09/09/2025')).toBeVisible()
    expect(screen.queryByText(/đến hết ngày/)).toBeNull()
    expect(button()).toBeNull()
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
    expect(host.toasts()).toEqual(['Đã đổi gift code!'])
  })

  it('a failed exchange says so and can be repeated', async () => {
    const { host, user } = open(answer(answerOf(null)), {
      api: { tradeGiftcode: fail('unreachable') },
      now,
    })
    await loaded()
    await user.click(button() as HTMLElement)
    expect(host.toasts()).toEqual([texts.exchangeFailed])
    expect(button()).not.toHaveAttribute('aria-busy')
  })

  it.each([
    ['that was exchanged', answerOf('2025-09-09T21:15:00+07:00'), now],
    ['that has lapsed', answerOf(null), () => new Date('2025-10-10T00:00:00+07:00')],
    ['but for another prize', answerOf(null, false), now],
  ])('%s has no button', async (_, history, now) => {
    open(answer(history), { now })
    await loaded()
    expect(button()).toBeNull()
  })
})

it('a void code is marked, and neither counted nor copied with the others', async () => {
  const { user } = open(answer(sampleHistory({ tickets: [ticket(['A', 'B'], { voided: ['B'] })] })))
  expect(await ticketRegion()).toHaveAccessibleName('Vé số may mắn (1)')
  expect(rowsOf(await ticketRegion())[0]?.[1]).toBe('A, BB: đã hủy, không tham gia quay thưởng')
  await user.click(screen.getByRole('button', { name: 'Sao chép tất cả' }))
  await expect(navigator.clipboard.readText()).resolves.toBe('A')
  cleanup()
  open(answer(sampleHistory({ tickets: [ticket(['B'], { voided: ['B'] })] })))
  expect(await ticketRegion()).toHaveAccessibleName('Vé số may mắn (0)')
  expect(screen.queryByRole('button', { name: 'Sao chép tất cả' })).toBeNull()
})

it.each([
  ['none has won yet', 1, /lần này bạn chưa trúng.*các đêm quay tiếp theo/],
  ['none has won at all', 3, /cả 3 đêm quay. Rất tiếc, lần này bạn chưa trúng/],
])('after a draw the page says that %s', async (_, lastDraw, text) => {
  open(answer(sampleHistory({ tickets: sampleTickets, lastDraw })))
  expect(await screen.findByText(text)).toBeVisible()
})

it('winning codes are named with their prizes and listed first', async () => {
  const [a, b] = [
    { code: 'A51C-20QB-17C2', draw: 1, prize: 'Xe máy' },
    { code: 'Z07K-9M4T-XW2E', draw: 1, prize: 'Code 999k' },
  ]
  const won = sampleTickets.map((one) => ({
    ...one,
    prizes: [a, b].filter(({ code }) => one.codes.includes(code)),
  }))
  const { user } = open(answer(sampleHistory({ tickets: won, lastDraw: 1 })))
  const line = await screen.findByText(/^Chúc mừng!/)
  expect(line).toHaveTextContent(
    'Mã A51C-20QB-17C2 trúng Xe máy. Mã Z07K-9M4T-XW2E trúng Code 999k. Hãy liên hệ',
  )
  const codes = rowsOf(await ticketRegion()).map(([, code]) => code)
  expect(codes.slice(0, 3)).toEqual([
    '★ Trúng Xe máyA51C-20QB-17C2',
    '★ Trúng Code 999kZ07K-9M4T-XW2E, A51C-20QB-17CB',
    'A51C-20QB-17C0',
  ])
  await user.click(screen.getByRole('button', { name: 'Sao chép tất cả' }))
  await expect(navigator.clipboard.readText()).resolves.toBe(
    sampleTickets.flatMap((one) => one.codes).join(', '),
  )
})

it.each([
  ['shows its results', answer(sampleHistory({ tickets: sampleTickets, lastDraw: 1 })), [], 1],
  ['keeps the table where it cannot', fail('unreachable'), [texts.failed], 0],
])('a draw that begins reloads the history: %s', async (_, next, toasts, results) => {
  jest.useFakeTimers({ now: new Date('2025-09-09T19:59:59+07:00') })
  const { host, asked } = open(answer(sampleHistory({ tickets: sampleTickets })), { now: live })
  await act(async () => {})
  expect(screen.getByText(texts.resultsLater)).toBeVisible()
  asked.mockImplementation(next)
  await act(() => jest.advanceTimersByTimeAsync(27_000))
  expect(asked).toHaveBeenCalledTimes(2)
  expect(host.toasts()).toEqual(toasts)
  expect(screen.queryAllByText(/lần này bạn chưa trúng/)).toHaveLength(results)
  expect(screen.getByRole('table')).toBeVisible()
})

it('the history reloads when the back-forward cache restores the page', async () => {
  const { asked, unmount } = open(answer(sampleHistory()))
  await loaded()
  const comeBack = (persisted: boolean) =>
    act(async () => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted })))
  await comeBack(false)
  expect(asked).toHaveBeenCalledTimes(1)
  await comeBack(true)
  expect(asked).toHaveBeenCalledTimes(2)
  unmount()
  await comeBack(true)
  expect(asked).toHaveBeenCalledTimes(2)
})

it('a call that ended with the page is dropped when the cache restores it', async () => {
  let cancel: (error: unknown) => void = () => undefined
  const history = jest.fn(answer(sampleHistory()))
  history.mockImplementationOnce(
    () =>
      new Promise((_, reject) => {
        cancel = reject
      }),
  )
  const { host } = open(history)
  await act(
    async () => void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  )
  await act(async () => cancel(createApiError('unreachable', 'x')))
  expect(history).toHaveBeenCalledTimes(2)
  expect(host.toasts()).toEqual([])
  expect(screen.queryByText('Thử lại')).toBeNull()
})

it('each change of the results while the page is open reloads the history once', async () => {
  jest.useFakeTimers({ now: new Date('2025-09-09T20:30:00+07:00') })
  const draws = jest.fn(async (): Promise<DrawResults> => [])
  const { asked } = open(answer(sampleHistory()), { api: { draws }, now: live })
  // React renders at the end of each `act`, so between the news and the next call.
  const pass = async () => {
    for (let i = 0; i < 10; i++) await act(() => jest.advanceTimersByTimeAsync(40_000))
  }
  await pass()
  expect(asked).toHaveBeenCalledTimes(1)
  draws.mockResolvedValue([{ draw: 1, prize: 'Xe máy', codes: ['X'] }])
  await pass()
  expect(asked).toHaveBeenCalledTimes(2)
  draws.mockResolvedValue(Object.assign([], { frozen: [] }))
  await pass()
  expect(asked).toHaveBeenCalledTimes(3)
})

// spec: giftcode-table
it('gift codes show with their time in a second table', async () => {
  open(answer(sampleHistory()))
  const table = within(await giftRegion()).getByRole('table')
  const heads = within(table).getAllByRole('columnheader')
  expect(heads.map((head) => head.textContent)).toEqual(['Gift code', 'Thời gian'])
  expect(rowsOf(table)).toEqual([
    ['GIFT-999K-0001', '21:15 09/09/2025'],
    ['GIFT-999K-0002', '21:16 09/09/2025'],
  ])
})

// spec: history-empty
it.each([
  ['tickets alone', { tickets: sampleTickets, giftcodes: [] }, ['Vé số may mắn (7)']],
  ['gift codes alone', { tickets: [], giftcodes: sampleGiftcodes }, ['Lịch sử đổi gift code (2)']],
  ['nothing', { tickets: [], giftcodes: [] }, []],
])('%s: each existing kind has a table, missing tickets a message', async (_, lists, names) => {
  open(answer(sampleHistory(lists)))
  await act(async () => {})
  const regions = screen.queryAllByRole('region')
  expect(regions.map((region) => within(region).getByRole('table') && region)).toEqual(
    names.map((name) => screen.getByRole('region', { name })),
  )
  expect(screen.queryAllByText('Không có lịch sử nhiệm vụ')).toHaveLength(
    lists.tickets.length > 0 ? 0 : 1,
  )
})

// spec: history-back
it('the link back to /home works while the page loads', () => {
  open(() => pending<HistoryResult>().promise)
  expect(screen.getByRole('link', { name: 'Quay về' })).toHaveAttribute('href', '/home')
})

it('each visit asks once and announces loading and its end', async () => {
  const { promise, resolve } = pending<HistoryResult>()
  const { host, asked, unmount } = open(() => promise)
  expect(screen.getByRole('status')).toHaveTextContent('Đang tải lịch sử…')
  await act(async () => resolve(sampleHistory()))
  expect(asked).toHaveBeenCalledTimes(1)
  expect(screen.getByRole('status')).toHaveTextContent('Đã tải xong lịch sử.')
  expect(await loaded()).toBeVisible()
  unmount()
  render(<HistoryPage host={host} />)
  await loaded()
  expect(asked).toHaveBeenCalledTimes(2)
})

describe('a failure', () => {
  // spec: history-load-failed
  it.each<[string, () => Promise<HistoryResult>, string]>([
    [
      "a refusal with the server's message",
      answer({ ok: false, message: 'Sự kiện đang được bảo trì' }),
      'Sự kiện đang được bảo trì',
    ],
    ['a refusal without one', answer({ ok: false }), 'Không thể tải lịch sử nhiệm vụ'],
    ['a failed call', fail('refused', 500), texts.failed],
  ])('%s: one error toast, and the text stays with a retry', async (_, history, text) => {
    const { host } = open(history)
    expect(await screen.findByText(text)).toBeVisible()
    expect(host.calls).toEqual([{ kind: 'toast', tone: 'error', text }])
    expect(screen.getByRole('button', { name: 'Thử lại' })).toBeVisible()
  })

  it('a member who is banned meanwhile reads why, with the link to the support', async () => {
    const banned = createApiError('refused', 'Tài khoản của bạn đã bị khóa.', 403)
    const history = jest.fn(answer(sampleHistory()))
    history.mockResolvedValueOnce(sampleHistory()).mockRejectedValue(banned)
    const supportUrl = 'https://support.example/'
    jest.useFakeTimers({ now: new Date('2025-09-09T19:59:59+07:00') })
    open(history, { config: { supportUrl }, now: live })
    await act(async () => {})
    await act(() => jest.advanceTimersByTimeAsync(27_000))
    expect(screen.getByText(banned.message)).toBeVisible()
    expect(screen.getByText('Liên hệ chăm sóc khách hàng')).toHaveAttribute('href', supportUrl)
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('a failed history reloads when the network is back, a loaded one does not', async () => {
    const unreachable = createApiError('unreachable', 'Network Error')
    const flaky = jest.fn(answer(sampleHistory())).mockRejectedValueOnce(unreachable)
    const { asked } = open(flaky)
    await failure()
    await act(async () => void dispatchEvent(new Event('online')))
    await loaded()
    await act(async () => void dispatchEvent(new Event('online')))
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it('a failed retry announces once more, a successful one focuses the heading', async () => {
    const { host, asked, user } = open(fail('unreachable'))
    await failure()
    const { promise, reject } = pending<HistoryResult>()
    asked.mockReturnValue(promise)
    const retry = screen.getByRole('button', { name: 'Thử lại' })
    await user.click(retry)
    expect(retry).toHaveAttribute('aria-busy', 'true')
    await act(async () => reject(createApiError('unreachable', '')))
    expect(host.toasts()).toEqual([texts.failed, texts.failed])
    expect(retry).toHaveFocus()
    expect(retry).not.toHaveAttribute('aria-busy')
    asked.mockResolvedValueOnce(sampleHistory({ tickets: sampleTickets }))
    await user.click(retry)
    expect(await loaded()).toBeVisible()
    expect(screen.queryByText(texts.failed)).not.toBeInTheDocument()
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
    expect(host.toasts()).toHaveLength(2)
  })
})

it('the button beside the codes of a row copies them, and the codes are text', async () => {
  const { host, user } = open(answer(sampleHistory()))
  await user.click(await screen.findByLabelText('Sao chép A51C-20QB-17CB, Z07K-9M4T-XW2E'))
  expect(screen.getByText('Z07K-9M4T-XW2E').closest('button')).toBeNull()
  expect(await navigator.clipboard.readText()).toBe('A51C-20QB-17CB, Z07K-9M4T-XW2E')
  expect(host.calls).toEqual([
    { kind: 'toast', tone: 'success', text: 'Đã sao chép', options: { duration: COPY_TOAST_MS } },
  ])
})
