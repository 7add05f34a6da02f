import { createApiError } from '@anniversary/shared/client/api-error'
import type {
  ClaimResult,
  ClientApi,
  DrawResult,
  HistoryResult,
  Mission,
} from '@anniversary/shared/contract/host'
import { createFakeHost } from '@anniversary/shared/testing/fake-host'
import { pending } from '@anniversary/shared/testing/pending'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { lostAnswers, missionApi, typicalMissions } from './fixtures.ts'
import HomePage from './HomePage.tsx'

/**
 * What the page makes of its store: wiring, focus and accessibility. Texts and
 * times are the store's tests'.
 */

beforeEach(() => void jest.useFakeTimers())

const pass = (ms = 0) => act(() => jest.advanceTimersByTimeAsync(ms))

async function open(
  api: Partial<ClientApi> = {},
  now = '2025-08-20T20:00:00+07:00',
  isClockSet = true,
  config = {},
) {
  const answers = { ...missionApi(), ...api }
  const takeCode = jest.fn(answers.takeCode)
  const missions = jest.fn(answers.missions)
  const ahead = Date.parse(now) - Date.now()
  const clock = () => new Date(Date.now() + ahead)
  const host = createFakeHost({ api: { ...answers, missions, takeCode }, now: clock, config })
  host.clock.isSet = () => isClockSet
  const user = userEvent.setup({ delay: null })
  const page = render(<HomePage host={host} />, { wrapper: StrictMode })
  await pass()
  return { host, user, takeCode, missions, ...page }
}

// By their text: jsdom spends milliseconds on each role.
function only(found: HTMLElement | null | undefined): HTMLElement {
  if (!found) throw new Error('no such button')
  return found
}
const card = (name: string) =>
  only(screen.getByText(name, { selector: 'h2' }).closest('li')?.querySelector('button'))
const button = (name: string) =>
  only(screen.getByText(name, { selector: 'button, button span' }).closest('button'))
const dialog = (name: string) => within(screen.getByRole('dialog', { name }))
const status = () => screen.getAllByRole('status')[0]
const unreachable = () => Promise.reject(createApiError('unreachable', ''))

describe('the cards', () => {
  test('the region that announces a claim exists before it', async () => {
    const { user } = await open({ takeCode: () => new Promise(() => {}) })
    const regions = screen.getAllByRole('status')
    await user.click(card('Nạp tiền 10 lần'))
    const shown = screen.getByText('ĐANG XỬ LÝ YÊU CẦU ...')
    expect(regions).toContain(shown.closest('[role=status]'))
  })

  test('a second that passes renders none of them', async () => {
    const read = jest.fn(() => 'Nạp tiền 10 lần')
    const mission = {
      ...typicalMissions[4],
      get name() {
        return read()
      },
    } as Mission // each render reads it
    await open({ missions: async () => [mission] })
    expect(read).toHaveBeenCalled()
    read.mockClear()
    await pass(3000)
    expect(read).not.toHaveBeenCalled()
  })

  test.each([
    ['behind one line after the event', true],
    ['on the page where only the browser has told the time', false],
  ])('cards that nobody can claim are %s', async (_where, isClockSet) => {
    await open({}, '2026-01-01T00:00:00+07:00', isClockSet)
    const [unreached] = screen.getAllByText('Chưa Đạt')
    expect(Boolean(unreached?.closest('details'))).toBe(isClockSet)
  })

  // spec: card-states
  test('each mission state has its button and picture', async () => {
    const { container } = await open()
    const list = screen.getByRole('list', { name: 'Danh sách nhiệm vụ' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(6)
    expect(card('Tổng nạp 15.000 điểm')).toHaveAccessibleName('Chưa Đạt Tổng nạp 15.000 điểm')
    expect(card('Tổng nạp 15.000 điểm')).toBeDisabled()
    expect(card('Tổng nạp 300 điểm')).toHaveAccessibleName('Nhận vé Tổng nạp 300 điểm')
    expect(card('Nạp tiền 5 ngày liên tiếp')).toHaveAccessibleName(
      'Kiểm tra Nạp tiền 5 ngày liên tiếp',
    )
    expect(card('Tổng cược 5.000 điểm')).toHaveAccessibleName(
      'Đã nhận · Xem mã Tổng cược 5.000 điểm',
    )
    expect([...container.querySelectorAll('li img')].every((img) => img.getAttribute('src'))).toBe(
      true,
    )
  })

  // spec: mission-without-name
  test('a mission without a name shows its identifier', async () => {
    const missions = typicalMissions.map((one) =>
      one.id === 'NAP_300' ? { ...one, name: '', tickets: 2 } : one,
    )
    await open({ missions: async () => missions })
    expect(card('NAP_300')).toHaveAccessibleName('Nhận vé NAP_300')
    expect(status()).toHaveTextContent('4 vé đang chờ nhận')
    expect(screen.getByText('2 vé')).toBeVisible()
  })

  test('unreached missions show progress, the page shows account and stage tickets', async () => {
    const progress = { kind: 'deposit-total', value: 9180.99, goal: 15_000 } as const
    await open({
      missions: async () => typicalMissions.map((one) => ({ ...one, progress })),
    })
    const bars = screen.getAllByRole('progressbar')
    const counted = bars.map((bar) => bar.closest('li')?.dataset.claimed)
    expect(counted).toEqual(['3', '0'])
    expect(bars[0]).toHaveAttribute('value', '9180.99')
    expect(bars[0]).toHaveAccessibleName('Nạp tiền 5 ngày liên tiếp')
    expect(bars[0]).toHaveAttribute('aria-valuetext', '9.180 trên 15.000 điểm')
    expect(screen.getAllByText('1 vé · 9.180 / 15.000 điểm')).toHaveLength(2)
    expect(screen.getByText(/1 \/ 6 vé giai đoạn này/)).toBeVisible()
    expect(screen.getByText('demo01')).toBeVisible()
  })

  test.each([
    ['2025-07-31T12:00:00+07:00', 'Chưa đến thời gian nhận vé. Giai đoạn 1 nhận vé từ 01/08/2025.'],
    ['2025-09-09T21:00:00+07:00', 'Giai đoạn 1 đã kết thúc. Giai đoạn 2 nhận vé từ 10/09/2025.'],
    ['2025-09-19T23:00:00+07:00', 'Giai đoạn 2 đã kết thúc. Giai đoạn 3 nhận vé từ 20/09/2025.'],
    ['2025-09-29T12:00:00+07:00', 'Giai đoạn 3 đã kết thúc. Hẹn gặp bạn ở đêm quay 29/09!'],
    ['2025-09-29T21:00:00+07:00', 'Giai đoạn 3 đã kết thúc.'],
  ])('at %s it says %p', async (now, text) => {
    await open({}, now)
    expect(status()).toHaveTextContent(text)
  })

  test('after the event one sentence says so and no tickets are counted', async () => {
    const missions = async () =>
      typicalMissions.map((one) => ({ ...one, claimed: 0 as const, codes: [] }))
    await open({ missions }, '2025-10-05T12:00:00+07:00')
    expect(screen.getByText('Sự kiện đã kết thúc')).toBeVisible()
    expect(status()).toBeEmptyDOMElement()
    expect(screen.queryByText(/ 6 vé giai đoạn/)).toBeNull()
  })

  test.each([
    ['2025-08-20T20:00:00+07:00', '6 / 6 vé giai đoạn này'],
    ['2025-09-08T20:00:00+07:00', '6 / 6 vé giai đoạn 1'],
  ])(
    'with all tickets at %s it says when the draw is, and offers the calendar',
    async (now, count) => {
      const missions = async () =>
        typicalMissions.map((one) => ({ ...one, claimed: 1 as const, codes: [one.id] }))
      await open({ missions }, now)
      if (count.endsWith('này'))
        expect(status()).toHaveTextContent(
          'Bạn đã nhận đủ vé giai đoạn này. Hẹn gặp bạn ở đêm quay 09/09!',
        )
      expect(screen.getByText(count)).toBeVisible()
      const calendar = screen.getByRole('link', { name: 'Thêm vào lịch' })
      expect(calendar).toHaveAttribute('href', '/lich-quay-thuong.ics')
    },
  )

  const prizes = [
    { code: 'A51C-20QB-17CB', draw: 1, prize: 'Xe máy' },
    { code: 'Z07K-9M4T-XW2E', draw: 1, prize: 'Code 999k' },
  ] as const
  const tickets = [{ mission: 'X', name: 'X', codes: ['A51C-20QB-17CB'], claimedAt: '', prizes }]
  const won = { ok: true, tickets, giftcodes: [], lastDraw: 1 } as const

  test('a gift code is exchanged in the history, and no other prize is claimed', async () => {
    localStorage.clear()
    const history = async (): Promise<HistoryResult> => ({
      ...won,
      tickets: tickets.map((one) => ({
        ...one,
        codes: [prizes[1].code],
        prizes: [{ ...prizes[1], isGiftcode: true }],
      })),
    })
    const supportUrl = 'https://support.example/'
    const missions = async () => typicalMissions.map((one) => ({ ...one, codes: [] }))
    const api = { missions, history }
    const { user } = await open(api, '2025-09-09T21:30:00+07:00', true, { supportUrl })
    const advice = 'Hãy đổi gift code trong lịch sử nhận vé, đến hết ngày 09/10/2025.'
    expect(dialog('Bạn đã trúng Code 999k').getByText(advice)).toBeVisible()
    expect(screen.queryByText('Liên hệ nhận giải')).toBeNull()
    await user.keyboard('{Escape}')
    expect(screen.getByText(advice)).toBeVisible()
    expect(screen.queryByText(/^Bạn chưa có mã dự thưởng/)).toBeNull()
  })

  test.each([
    ['during the draw', '2025-09-09T20:30:00+07:00', 0, 0],
    ['after it', '2025-09-09T22:30:00+07:00', 1, 1],
    ['during the next draw', '2025-09-19T20:30:00+07:00', 1, 0],
  ])('imported results without a win are told %s', async (_, now, lastDraw, times) => {
    const lost = tickets.map((one) => ({ ...one, prizes: [] }))
    const draws = async () => [{ draw: 1, prize: 'Xe máy', codes: ['X'] }]
    await open({ history: async () => ({ ...won, tickets: lost, lastDraw }), draws }, now)
    expect(screen.queryAllByText('Lần này chưa trúng')).toHaveLength(times)
    expect(screen.queryAllByText(/còn 2 đêm quay/)).toHaveLength(times)
  })

  test("a draw's evening tells of the member's codes once the history has answered", async () => {
    const { promise, resolve } = pending<HistoryResult>()
    const { promise: draws } = pending<readonly DrawResult[]>()
    const missions = async () => typicalMissions.map((one) => ({ ...one, codes: [] }))
    const api = { missions, history: () => promise, draws: () => draws }
    await open(api, '2025-09-19T19:00:00+07:00')
    expect(screen.queryByText(/^Bạn chưa có mã dự thưởng/)).toBeNull()
    await act(async () =>
      resolve({ ...won, tickets: tickets.map((one) => ({ ...one, prizes: [] })) }),
    )
    expect(screen.getByText('Mã dự thưởng của bạn (1)')).toBeVisible()
  })

  test("during a draw the member's codes of all stages can be copied", async () => {
    localStorage.setItem(
      'celebrated-wins',
      JSON.stringify(prizes.map((one) => `${one.code} 1 ${one.prize}`)),
    )
    const missions = async () =>
      typicalMissions.map((one, i) => (i ? one : { ...one, codes: ['NEW1', 'VOID'] }))
    const old = { mission: 'X', name: 'X', codes: ['OLD1', 'VOID'], claimedAt: '', prizes: [] }
    const history = async () => ({ ...won, tickets: [...tickets, { ...old, voided: ['VOID'] }] })
    const { user } = await open({ missions, history }, '2025-09-09T20:30:00+07:00')
    expect(screen.getByText('Mã dự thưởng của bạn (2)')).toBeVisible()
    // Neither the one that has won nor the void one.
    await user.click(button('Sao chép tất cả'))
    await expect(navigator.clipboard.readText()).resolves.toBe('NEW1, OLD1')
  })

  test("a draw's news whose code failed to load comes with the next list", async () => {
    jest.doMock('./DrawNews.tsx', () => {
      throw new Error('ChunkLoadError')
    })
    await open({ history: async () => ({ ...won, tickets: [] }) }, '2025-09-19T19:00:00+07:00')
    jest.dontMock('./DrawNews.tsx')
    expect(screen.queryByText('Mã dự thưởng của bạn (1)')).toBeNull()
    fireEvent(window, new PageTransitionEvent('pageshow', { persisted: true }))
    await pass()
    expect(screen.getByText('Mã dự thưởng của bạn (1)')).toBeVisible()
  })

  test('when a stage ends the list reloads and the heading gets the focus of a card', async () => {
    const { missions } = await open({}, '2025-09-06T23:59:59+07:00')
    card('Nạp tiền 10 lần').focus()
    missions.mockResolvedValue(typicalMissions.map((one) => ({ ...one, claimed: 0 })))
    await pass(26_000)
    expect(screen.getByText('6 nhiệm vụ mở ngày 10/09')).toBeVisible()
    expect(card('Nạp tiền 10 lần')).toBeDisabled()
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  })

  test("a page that was open at a stage's end shows the codes for the next draw", async () => {
    const missions = async () => typicalMissions.map((one) => ({ ...one, codes: ['NEW1'] }))
    await open({ missions }, '2025-09-06T23:59:59+07:00')
    await pass(26_000)
    expect(screen.getByText('Mã dự thưởng của bạn (1)')).toBeVisible()
  })

  test('a stage that begins opens its cards, and no call is sent in four seconds', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0)
    const draws = jest.fn(async () => [])
    const closed = typicalMissions.map((one) => ({ ...one, claimed: 0 as const }))
    const next = { at: new Date('2025-09-10T00:00:00+07:00'), missions: typicalMissions }
    const list = async () => Object.assign(closed, { next })
    // It watches for results each minute, so at the stage's third second too.
    const { missions } = await open({ missions: list, draws }, '2025-09-09T23:59:02+07:00')
    draws.mockClear()
    await pass(57_000)
    expect(card('Nạp tiền 10 lần')).toBeDisabled()
    await pass(1000)
    expect(card('Nạp tiền 10 lần')).toBeEnabled()
    await pass(4000)
    expect([missions, draws].map(({ mock }) => mock.calls.length)).toEqual([1, 0])
  })

  test('when a stage begins the heading gets the focus of the fold', async () => {
    const { missions } = await open({}, '2025-09-09T23:59:59+07:00')
    only(screen.getByText('1 nhiệm vụ mở ngày 10/09')).focus()
    missions.mockResolvedValue(typicalMissions)
    await pass(26_000)
    expect(screen.queryByText('1 nhiệm vụ mở ngày 10/09')).toBeNull()
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  })

  const CODES = ['A51C-20QB-17CB', 'Z07K-9M4T-XW2E']
  async function openCodes(codes: readonly string[]) {
    const mission = { id: 'X', name: 'Xong', claimed: 1, codes, tickets: 1 } as const
    const page = await open({ missions: async () => [mission] })
    await page.user.click(card('Xong'))
    await pass()
    return { ...page, codes: dialog('Mã dự thưởng của bạn') }
  }

  // spec: done-card
  test('a done card shows each stored code once and copies one or all', async () => {
    const { host, user, takeCode, codes } = await openCodes([...CODES, 'A51C-20QB-17CB'])
    expect(codes.getAllByRole('listitem')).toHaveLength(2)
    await user.click(codes.getByRole('button', { name: 'Sao chép mã Z07K-9M4T-XW2E' }))
    await expect(navigator.clipboard.readText()).resolves.toBe('Z07K-9M4T-XW2E')
    await user.click(button('Sao chép tất cả'))
    await expect(navigator.clipboard.readText()).resolves.toBe('A51C-20QB-17CB, Z07K-9M4T-XW2E')
    jest
      .spyOn(navigator.clipboard, 'writeText')
      .mockRejectedValue(new DOMException('', 'NotAllowedError'))
    await user.click(button('Sao chép tất cả'))
    expect(host.toasts()).toEqual([
      'Đã sao chép mã dự thưởng!',
      'Đã sao chép mã dự thưởng!',
      'Trình duyệt không cho phép sao chép. Nội dung đã được chọn sẵn: nhấn giữ rồi bấm “Sao chép”.',
    ])
    expect(getSelection()?.toString()).toContain('Z07K-9M4T-XW2E')
    await user.click(button('Xong'))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(takeCode).not.toHaveBeenCalled()
  })

  // spec: no-codes
  test('a done card without codes says so', async () => {
    const { codes } = await openCodes([])
    expect(codes.getByText('Không có mã dự thưởng để hiển thị')).toBeVisible()
  })

  test("loading is announced and the countdown waits for the server's time", async () => {
    const list = pending<readonly Mission[]>()
    await open({ missions: () => list.promise })
    expect(status()).toHaveTextContent('Đang tải danh sách nhiệm vụ…')
    expect(screen.queryByRole('timer')).toBeNull()
    list.resolve(typicalMissions)
    await pass()
    expect(screen.getByRole('timer')).toBeVisible()
  })

  // spec: missions-load-failed
  test('a failed load is announced once, stays visible and can be retried', async () => {
    const { host, user, missions } = await open({ missions: unreachable })
    expect(missions).toHaveBeenCalledTimes(1)
    const text = 'Không thể tải dữ liệu nhiệm vụ. Vui lòng thử lại!'
    expect(host.calls).toEqual([{ kind: 'toast', tone: 'error', text }])
    expect(screen.getByText(text)).toBeVisible()
    missions.mockResolvedValue(typicalMissions)
    await user.click(button('Thử lại'))
    await pass()
    expect(card('Nạp tiền 10 lần')).toBeEnabled()
    expect(screen.queryByText(text)).toBeNull()
    // The button is gone.
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  })
})

describe('a page that is shown again', () => {
  const showAfter = async (ms: number, state: DocumentVisibilityState = 'visible') => {
    await pass(ms)
    jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
    fireEvent(document, new Event('visibilitychange'))
  }

  test('a page that is shown after a minute reloads the list once', async () => {
    const { host, missions } = await open()
    await showAfter(100_000, 'hidden')
    await showAfter(1)
    await pass(1000)
    expect(missions).toHaveBeenCalledTimes(2)
    expect(card('Nạp tiền 10 lần')).toBeVisible()
    await showAfter(50_000)
    await pass(1000)
    expect(missions).toHaveBeenCalledTimes(2)
    await showAfter(60_000)
    fireEvent(window, new PageTransitionEvent('pageshow', { persisted: true }))
    await pass(1000)
    expect(missions).toHaveBeenCalledTimes(3)
    jest.spyOn(host.session, 'current').mockReturnValue(null)
    await showAfter(100_000)
    await pass(1000)
    expect(missions).toHaveBeenCalledTimes(3)
  })

  test('an old list that is shown offline is reloaded once its page is online', async () => {
    const { missions } = await open()
    const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await showAfter(100_000)
    await pass(1000)
    expect(button('Thử lại')).toBeVisible()
    expect(missions).toHaveBeenCalledTimes(1)
    onLine.mockReturnValue(true)
    fireEvent(window, new Event('online'))
    await pass()
    expect(missions).toHaveBeenCalledTimes(2)
  })

  test('a page whose window gets the focus after a minute reloads the list', async () => {
    const { missions } = await open()
    await pass(100_000)
    fireEvent.focus(window)
    await pass(1000)
    expect(missions).toHaveBeenCalledTimes(2)
  })

  test('a clock that was set back does not keep an old list', async () => {
    const { missions } = await open()
    jest.setSystemTime(Date.now() - 2 * 86_400_000)
    await showAfter(1)
    await pass(1000)
    expect(missions).toHaveBeenCalledTimes(2)
  })

  test('a page that is shown just after a moment leaves the call to it', async () => {
    const { missions } = await open({}, '2025-09-09T21:58:30+07:00')
    await showAfter(90_500)
    await pass(1000)
    expect(missions).toHaveBeenCalledTimes(1)
  })
})

describe('a claim', () => {
  // spec: claim-success
  test('a claim by keyboard shows its codes and returns the focus to the card', async () => {
    const { user } = await open()
    const claim = card('Tổng nạp 300 điểm')
    claim.focus()
    await user.keyboard('{Enter}')
    expect(screen.getByText('ĐANG XỬ LÝ YÊU CẦU ...')).toBeVisible()
    expect(claim).toHaveAttribute('aria-busy', 'true')
    expect(claim).toHaveFocus()
    await pass(1000)
    expect(dialog('Chúc mừng bạn đã nhận vé!').getByRole('listitem')).toHaveTextContent(
      'A51C-20Q0-17C0',
    )
    expect(screen.queryByText('ĐANG XỬ LÝ YÊU CẦU ...')).toBeNull()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(claim).toHaveFocus()
    expect(claim).toHaveAccessibleName('Đã nhận · Xem mã Tổng nạp 300 điểm')
  })

  test('a claim without codes says so and celebrates nothing', async () => {
    const { user } = await open({ takeCode: async () => ({ ok: true, codes: [] }) })
    await user.click(card('Tổng nạp 300 điểm'))
    await pass(1000)
    const codes = dialog('Mã dự thưởng của bạn')
    expect(codes.getByText('Không có mã dự thưởng để hiển thị')).toBeVisible()
  })

  test("a claim's codes take the focus from another mission's codes", async () => {
    const { user } = await open()
    await user.click(card('Tổng nạp 300 điểm'))
    await user.click(card('Tổng cược 5.000 điểm'))
    await pass()
    dialog('Mã dự thưởng của bạn')
      .getByRole('button', { name: /^Sao chép mã/ })
      .focus()
    await pass(1000)
    expect(screen.getByText('Chúc mừng bạn đã nhận vé!')).toHaveFocus()
  })

  test.each([
    ['granted', lostAnswers(), true, 'Đã ghi nhận vé. Bấm vào thẻ để xem mã.'],
    ['not granted', { takeCode: unreachable }, true, 'Vé chưa được ghi nhận. Bạn bấm lại nhé.'],
    ['unknown', null, true, 'Máy chủ chưa phản hồi. Bấm “Thử lại”.'],
    ['unknown without a network', null, false, 'Có mạng, trang sẽ tự kiểm tra lại.'],
  ])('the card of a claim without an answer says that it was %s', async (_, api, onLine, text) => {
    const { user, missions } = await open(api ?? { takeCode: unreachable })
    if (!api) missions.mockImplementation(unreachable)
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine)
    await user.click(card('Tổng nạp 300 điểm'))
    await pass(1000)
    const notice = screen.getByText(text)
    expect(notice).toHaveRole('status')
    expect(notice.closest('li')).toContainElement(card('Tổng nạp 300 điểm'))
    expect(screen.queryAllByText('Thử lại')).toHaveLength(api ? 0 : 1)
  })

  test("the card of a claim lost at the stage's end says so outside the fold", async () => {
    const { user, missions } = await open({ takeCode: unreachable }, '2025-09-06T23:59:59+07:00')
    missions.mockResolvedValue(typicalMissions.map((one) => ({ ...one, claimed: 0 })))
    await user.click(card('Tổng nạp 300 điểm'))
    await pass(26_000)
    const notice = screen.getByText('Nhiệm vụ này đã ngừng nhận vé.')
    expect(notice.closest('li')).toContainElement(card('Tổng nạp 300 điểm'))
    expect(notice.closest('details')).toBeNull()
    expect(screen.getByText('5 nhiệm vụ mở ngày 10/09')).toBeVisible()
  })
})

describe('the forms', () => {
  // spec: claim-overlay
  test('sharing sends trimmed links under one overlay and drops the draft', async () => {
    const answer = pending<ClaimResult>()
    const shareLinks = [1, 2, 3, 4].map((n) => `https://facebook.com/posts/${n}`)
    const draft = shareLinks.map((link) => ` ${link} `)
    sessionStorage.setItem('share-draft:demo01', JSON.stringify(draft))
    const { user, takeCode } = await open({ takeCode: () => answer.promise })
    await user.click(card('Chia sẻ bài viết lên Facebook'))
    await pass()
    await user.click(button('Gửi link'))
    await user.click(button('Gửi link'))
    expect(takeCode.mock.calls).toEqual([[{ mission: 'CHIASE', shareLinks }]])
    const form = dialog('Chia sẻ sự kiện')
    expect(screen.getAllByText('ĐANG XỬ LÝ YÊU CẦU ...')).toEqual([
      form.getByText('ĐANG XỬ LÝ YÊU CẦU ...'),
    ])
    expect(button('Gửi link')).toHaveAttribute('aria-busy', 'true')
    answer.resolve({ ok: true, codes: ['S'] })
    await pass()
    expect(screen.getByText('S')).toBeVisible()
    expect(sessionStorage).toHaveLength(0)
  })

  // spec: streak-success
  test.each([
    ['Chưa đủ 5 ngày', 'Chưa đủ 5 ngày'],
    ['', 'Bạn chưa đủ điều kiện để nhận vé'],
  ])('a streak refused with %j keeps its form for another try', async (message, text) => {
    const { host, user, takeCode, missions } = await open()
    takeCode.mockResolvedValueOnce({ ok: false, message })
    await user.click(card('Nạp tiền 5 ngày liên tiếp'))
    await pass()
    fireEvent.input(screen.getByLabelText(/Ngày bắt đầu/), { target: { value: '2025-08-11' } })
    fireEvent.input(screen.getByLabelText(/Ngày kết thúc/), { target: { value: '2025-08-15' } })
    const form = dialog('Kiểm tra 5 ngày nạp liên tiếp')
    await user.click(form.getByRole('button', { name: 'Kiểm tra' }))
    await pass()
    expect(form.getByText(text)).toBeVisible()
    expect(host.calls).toEqual([{ kind: 'toast', tone: 'error', text }])
    await user.click(form.getByRole('button', { name: 'Kiểm tra' }))
    await pass()
    expect(takeCode).toHaveBeenLastCalledWith({
      mission: 'NAP_STREAK',
      streak: { start: '2025-08-11', end: '2025-08-15' },
    })
    expect(screen.getByRole('dialog')).toHaveTextContent('A51C-20Q2-17C2')
    expect(screen.getByRole('dialog')).toHaveAccessibleDescription(/A51C- ?20Q2- ?17C2/)
    await user.click(button('Xong'))
    await pass()
    expect(missions).toHaveBeenCalledTimes(2)
  })

  test.each([
    ['the click shows the overlay, then a toast', false, 1],
    ['no toast shows on another page', true, 0],
  ])('form code that does not load: %s', async (_, left, toasts) => {
    jest.doMock('./dialogs/HomeDialogs.tsx', () => {
      throw new Error('ChunkLoadError')
    })
    const { host, unmount } = await open()
    fireEvent.click(card('Chia sẻ bài viết lên Facebook'))
    expect(screen.getByText('ĐANG XỬ LÝ YÊU CẦU ...')).toBeVisible()
    if (left) unmount()
    await pass()
    expect(screen.queryByText('ĐANG XỬ LÝ YÊU CẦU ...')).toBeNull()
    expect(host.toasts()).toHaveLength(toasts)
    jest.dontMock('./dialogs/HomeDialogs.tsx')
  })
})
