import { createApiError } from '@anniversary/shared/client/api-error'
import type { ClaimResult, ClientApi, Mission } from '@anniversary/shared/contract/host'
import { expectConsoleError } from '@anniversary/shared/testing/console-errors'
import { installDialog } from '@anniversary/shared/testing/dialog'
import { createFakeHost, type FakeHostOptions } from '@anniversary/shared/testing/fake-host'
import { pending } from '@anniversary/shared/testing/pending'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { StrictMode } from 'react'
import { missionApi, typicalMissions } from './fixtures.ts'
import HomePage from './HomePage.tsx'

beforeAll(installDialog)
beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
  sessionStorage.clear()
})

// One per test: it replaces navigator.clipboard.
const setUp = () => userEvent.setup({ advanceTimers: jest.advanceTimersByTime })
const pass = (ms = 0) => act(() => jest.advanceTimersByTimeAsync(ms))

async function open(api: Partial<ClientApi> = {}, options: FakeHostOptions = {}) {
  const answers = { ...missionApi(), ...api }
  const takeCode = jest.fn(answers.takeCode)
  const missions = jest.fn(answers.missions)
  const host = createFakeHost({ ...options, api: { missions, takeCode } })
  const user = setUp()
  const page = render(<HomePage host={host} />, { reactStrictMode: false })
  await pass()
  return { host, user, takeCode, missions, ...page }
}

function card(name: string) {
  const found = screen
    .getAllByRole('listitem')
    .find((item) => within(item).queryByRole('heading', { name }) !== null)
  if (!found) throw new Error(`no card named ${name}`)
  return within(found)
}
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const dialog = (name?: string) => within(screen.getByRole('dialog', name === undefined ? {} : { name }))
const unreachable = () => Promise.reject(createApiError('unreachable', ''))
const links = [1, 2, 3, 4].map((n) => `https://www.facebook.com/posts/${n}`)
const field = (n: number) => screen.getByRole('textbox', { name: new RegExp(`Liên kết chia sẻ ${n}`) })

describe('the cards', () => {
  // spec: card-states
  test('each state has its button, and each card its picture', async () => {
    const { container } = await open()
    expect(
      within(screen.getByRole('list', { name: 'Danh sách nhiệm vụ' })).getAllByRole('listitem'),
    ).toHaveLength(6)
    expect(card('Tổng nạp 15.000 điểm').getByRole('button', { name: 'Chưa Đạt' })).toBeDisabled()
    expect(card('Tổng nạp 300 điểm').getByRole('button', { name: 'Nhận vé' })).toBeEnabled()
    expect(card('Nạp liên tiếp 5 ngày').getByRole('button', { name: 'Kiểm tra' })).toBeEnabled()
    expect(card('Tổng cược 5.000 điểm').getByRole('button')).toHaveAccessibleName('Đã nhận · Xem mã')
    expect(card('Nạp 10 lần').getByRole('button')).toHaveAccessibleDescription('Nạp 10 lần')
    expect([...container.querySelectorAll('li img')].every((img) => img.getAttribute('src'))).toBe(true)
  })

  // spec: mission-without-name
  test('a mission without a name goes by its identifier', async () => {
    await open({ missions: async () => typicalMissions.map((one) => ({ ...one, name: '' })) })
    expect(card('NAP_10LAN').getByRole('button')).toHaveAccessibleDescription('NAP_10LAN')
  })

  test('the tickets that wait are counted, as the server counts a mission', async () => {
    const missions = typicalMissions.map((one) => (one.id === 'NAP_300' ? { ...one, tickets: 2 } : one))
    await open({ missions: async () => missions })
    expect(screen.getByRole('status')).toHaveTextContent('4 vé đang chờ nhận')
    expect(card('Tổng nạp 300 điểm').getByText('2 vé')).toBeVisible()
  })

  // spec: done-card
  test('a done card shows its stored codes, and closing it asks nothing', async () => {
    const { user, missions } = await open()
    await user.click(card('Tổng cược 5.000 điểm').getByRole('button'))
    expect(dialog('Mã dự thưởng của bạn').getByText('A51C-20QB-17CB')).toBeVisible()
    await user.click(button('Xác nhận'))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(missions).toHaveBeenCalledTimes(1)
  })

  // spec: no-codes
  test('a done card without codes says so', async () => {
    const missions = typicalMissions.map((one) => ({ ...one, claimed: 1 as const, codes: [] }))
    const { user } = await open({ missions: async () => missions })
    await user.click(card('Nạp 10 lần').getByRole('button'))
    expect(dialog().getByText('Không có mã dự thưởng để hiển thị')).toBeVisible()
  })

  test('an empty list has its own words', async () => {
    await open({ missions: async () => [] })
    expect(screen.getByText('Chưa có nhiệm vụ nào')).toBeVisible()
  })

  test('while the list loads it says so, however long that takes', async () => {
    await open({ missions: () => new Promise(() => {}) })
    await pass(60_000)
    expect(screen.getByRole('status')).toHaveTextContent('Đang tải danh sách nhiệm vụ…')
    expect(screen.queryByRole('timer')).toBeNull()
  })

  test('a failed load is said once, also under StrictMode, and can be tried again', async () => {
    const missions = jest.fn(unreachable as ClientApi['missions'])
    const host = createFakeHost({ api: { missions } })
    const user = setUp()
    render(
      <StrictMode>
        <HomePage host={host} />
      </StrictMode>,
    )
    await pass()
    expect(missions).toHaveBeenCalledTimes(1)
    expect(host.toasts()).toEqual(['Không thể tải dữ liệu nhiệm vụ. Vui lòng thử lại!'])
    expect(screen.getByText('Không thể tải dữ liệu nhiệm vụ. Vui lòng thử lại!')).toBeVisible()
    missions.mockResolvedValue(typicalMissions)
    await user.click(button('Thử lại'))
    await pass()
    expect(card('Nạp 10 lần').getByRole('button')).toBeEnabled()
    expect(screen.queryByText('Không thể tải dữ liệu nhiệm vụ. Vui lòng thử lại!')).toBeNull()
  })

  test('a list that cannot be renewed stays, with a way to try again', async () => {
    const { user, missions } = await open()
    missions.mockImplementationOnce(unreachable)
    act(() => {
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    })
    await pass()
    expect(screen.getByText(/Danh sách có thể chưa mới nhất/)).toBeVisible()
    expect(card('Nạp 10 lần').getByRole('button')).toBeEnabled()
    await user.click(button('Thử lại'))
    await pass()
    expect(screen.queryByText(/Danh sách có thể chưa mới nhất/)).toBeNull()
  })
})

describe('a claim', () => {
  // spec: claim-success
  test('goes after one second, shows its code, and closing it refreshes the list', async () => {
    const { host, user, missions } = await open()
    await user.click(card('Tổng nạp 300 điểm').getByRole('button', { name: 'Nhận vé' }))
    expect(screen.getByText('ĐANG XỬ LÝ YÊU CẦU ...')).toBeVisible()
    expect(card('Tổng nạp 300 điểm').getByRole('button')).toHaveAttribute('aria-busy', 'true')
    await pass(1000)
    const codes = dialog('Chúc mừng bạn đã nhận vé!')
    expect(codes.getByText('A51C-20Q0-17C0')).toBeVisible()
    expect(screen.queryByText('ĐANG XỬ LÝ YÊU CẦU ...')).toBeNull()
    await user.click(codes.getByRole('button', { name: 'Xác nhận' }))
    await pass()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(missions).toHaveBeenCalledTimes(2)
    expect(card('Tổng nạp 300 điểm').getByRole('button')).toHaveAccessibleName('Đã nhận · Xem mã')
    expect(host.calls).toEqual([])
  })

  test('works by keyboard alone, and the focus comes back to the card', async () => {
    const { user } = await open()
    const claim = card('Tổng nạp 300 điểm').getByRole('button')
    claim.focus()
    await user.keyboard('{Enter}')
    expect(claim).toHaveFocus()
    await pass(1000)
    await user.keyboard('{Escape}')
    await pass()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(claim).toHaveFocus()
    expect(claim).toHaveAccessibleName('Đã nhận · Xem mã')
  })

  test('double taps send one claim', async () => {
    const { user, takeCode } = await open()
    await user.dblClick(card('Tổng nạp 300 điểm').getByRole('button'))
    await user.click(card('Nạp 10 lần').getByRole('button'))
    await pass(5000)
    expect(takeCode.mock.calls).toEqual([[{ mission: 'NAP_300' }]])
  })

  test('the rest of the page works while the answer is on its way', async () => {
    const { host, user } = await open({ takeCode: () => new Promise(() => {}) })
    await user.click(card('Tổng nạp 300 điểm').getByRole('button'))
    await pass(120_000)
    expect(screen.getByText('ĐANG XỬ LÝ YÊU CẦU ...')).toBeVisible()
    await user.click(button('Thể lệ'))
    await user.click(card('Tổng cược 5.000 điểm').getByRole('button'))
    expect(dialog('Mã dự thưởng của bạn').getByText('A51C-20QB-17CB')).toBeVisible()
    await user.click(button('Xác nhận'))
    await user.click(button('Lịch sử'))
    expect(host.calls).toEqual([{ kind: 'rules' }, { kind: 'navigate', path: '/histories' }])
  })

  test('leaving within the second sends nothing', async () => {
    const { user, unmount, takeCode } = await open()
    await user.click(card('Tổng nạp 300 điểm').getByRole('button'))
    await pass(999)
    unmount()
    await pass(5000)
    expect(takeCode).not.toHaveBeenCalled()
  })

  test('a refusal is an error dialog; closing it loads the page anew', async () => {
    const { host, user } = await open({ takeCode: async () => ({ ok: false }) })
    await user.click(card('Tổng nạp 300 điểm').getByRole('button'))
    await pass(1000)
    expect(dialog().getByText('Không tìm thấy thông tin nhiệm vụ')).toBeVisible()
    expect(host.calls).toEqual([])
    const [close] = dialog().getAllByRole('button', { name: 'Đóng' })
    await user.click(close as HTMLElement) // getAll fails on none
    expect(host.calls).toEqual([{ kind: 'reload' }])
  })

  test('an answer without codes says so', async () => {
    const { user } = await open({ takeCode: async () => ({ ok: true, codes: [] }) })
    await user.click(card('Tổng nạp 300 điểm').getByRole('button'))
    await pass(1000)
    expect(dialog().getByText('Không có mã dự thưởng để hiển thị')).toBeVisible()
  })

  test('a lost answer: the list is loaded anew and tells that the ticket was granted', async () => {
    const api = missionApi()
    const { host, user, missions } = await open({
      ...api,
      takeCode: async (claim) => {
        await api.takeCode(claim)
        return unreachable()
      },
    })
    const slow = pending<readonly Mission[]>()
    await user.click(card('Tổng nạp 300 điểm').getByRole('button'))
    missions.mockReturnValueOnce(slow.promise)
    await pass(1000)
    expect(host.toasts()).toEqual(['Có lỗi xảy ra khi nhận phần thưởng. Vui lòng thử lại!'])
    expect(screen.getByRole('status')).toHaveTextContent('Chưa nhận được câu trả lời')
    slow.resolve(await api.missions())
    await pass()
    expect(screen.getByRole('status')).toHaveTextContent('“Tổng nạp 300 điểm”: vé đã được ghi nhận')
    await user.click(card('Tổng nạp 300 điểm').getByRole('button'))
    expect(dialog().getByText('A51C-20Q0-17C0')).toBeVisible()
    await user.click(button('Xác nhận'))
    await user.click(button('Đã hiểu'))
    expect(screen.queryByText(/đã được ghi nhận/)).toBeNull()
  })

  test('a claim that never arrived: the list tells so, and the claim can be repeated', async () => {
    const { user, takeCode } = await open({ takeCode: unreachable })
    await user.click(card('Tổng nạp 300 điểm').getByRole('button'))
    await pass(1000)
    expect(screen.getByRole('status')).toHaveTextContent('“Tổng nạp 300 điểm”: danh sách chưa ghi nhận vé')
    takeCode.mockResolvedValueOnce({ ok: true, codes: ['AGAIN'] })
    await user.click(card('Tổng nạp 300 điểm').getByRole('button'))
    await pass(1000)
    expect(dialog().getByText('AGAIN')).toBeVisible()
    expect(screen.queryByText(/chưa ghi nhận vé/)).toBeNull()
  })
})

describe('copying', () => {
  test('a code and the event link, said for 1200 ms', async () => {
    const { host, user } = await open({}, { config: { eventUrl: 'https://event.example/x' } })
    await user.click(card('Tổng cược 5.000 điểm').getByRole('button'))
    await user.click(button('Sao chép mã A51C-20QB-17CB'))
    await expect(navigator.clipboard.readText()).resolves.toBe('A51C-20QB-17CB')
    await user.click(button('Xác nhận'))
    await user.click(card('Chia sẻ sự kiện lên Facebook').getByRole('button'))
    await user.click(button('Sao chép liên kết'))
    await expect(navigator.clipboard.readText()).resolves.toBe('https://event.example/x')
    expect(host.calls).toEqual([
      { kind: 'toast', tone: 'success', text: 'Đã sao chép mã dự thưởng!', options: { duration: 1200 } },
      { kind: 'toast', tone: 'success', text: 'Đã sao chép liên kết!', options: { duration: 1200 } },
    ])
  })

  test('without an event page, the link of this site', async () => {
    const { user } = await open()
    await user.click(card('Chia sẻ sự kiện lên Facebook').getByRole('button'))
    await user.click(button('Sao chép liên kết'))
    await expect(navigator.clipboard.readText()).resolves.toBe('http://localhost/')
  })

  test('without the Clipboard API, by a selection inside the dialog', async () => {
    const { host, user } = await open()
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('', 'NotAllowedError'))
    const copied: string[] = []
    // jsdom has no execCommand; a browser copies the selection.
    document.execCommand = () => {
      const selected = document.activeElement
      if (selected instanceof HTMLTextAreaElement && selected.closest('dialog')) copied.push(selected.value)
      return true
    }
    await user.click(card('Tổng cược 5.000 điểm').getByRole('button'))
    await user.click(button('Sao chép mã A51C-20QB-17CB'))
    expect(copied).toEqual(['A51C-20QB-17CB'])
    expect(button('Sao chép mã A51C-20QB-17CB')).toHaveFocus()
    expect(host.toasts()).toEqual(['Đã sao chép mã dự thưởng!'])
    document.execCommand = () => false
    await user.click(button('Sao chép mã A51C-20QB-17CB'))
    expect(host.toasts()[1]).toBe('Trình duyệt không cho phép sao chép. Vui lòng chọn và sao chép thủ công!')
    Reflect.deleteProperty(document, 'execCommand')
  })
})

describe('sharing', () => {
  const openShare = async (api: Partial<ClientApi> = {}, options: FakeHostOptions = {}) => {
    const opened = await open(api, options)
    await opened.user.click(card('Chia sẻ sự kiện lên Facebook').getByRole('button'))
    const fill = async (values: readonly string[]) => {
      for (const [i, value] of values.entries()) {
        await opened.user.clear(field(i + 1))
        if (value) await opened.user.type(field(i + 1), value)
      }
      await opened.user.click(button('Gửi liên kết'))
    }
    return { ...opened, fill }
  }

  test.each([
    ['one is empty', ['', ...links.slice(1)], 1],
    ['the last is empty', [...links.slice(0, 3), ''], 4],
    ['one is of another host', [links[0], 'https://example.com/1', links[2], links[3]] as string[], 2],
  ])('not sent when %s', async (_, values, wrong) => {
    const { host, fill, takeCode } = await openShare()
    await fill(values)
    expect(host.calls).toEqual([{ kind: 'toast', tone: 'error', text: 'Có Link chia sẻ chưa hợp lệ' }])
    expect(dialog().getByText('Có Link chia sẻ chưa hợp lệ')).toBeVisible()
    expect(field(wrong)).toHaveFocus()
    expect(field(wrong)).toBeInvalid()
    expect(field(wrong)).toHaveAccessibleDescription('Liên kết phải chứa facebook.com')
    await pass(5000)
    expect(takeCode).not.toHaveBeenCalled()
  })

  test('the host counts in any case; four links are sent and their codes shown', async () => {
    const { fill, takeCode } = await openShare()
    const shouted = links.map((link) => link.toUpperCase())
    await fill(shouted)
    await pass()
    expect(takeCode.mock.calls).toEqual([[{ mission: 'CHIASE', shareLinks: shouted }]])
    expect(dialog('Chúc mừng bạn đã nhận vé!').getByText('A51C-20Q5-17C5')).toBeVisible()
  })

  // spec: share-host-configured
  test('the host is the configured one', async () => {
    const { host, fill } = await openShare({}, { config: { shareHost: 'zalo.me' } })
    await fill(links)
    expect(host.toasts()).toEqual(['Có Link chia sẻ chưa hợp lệ'])
  })

  test('an exception is said once and the form keeps what was typed', async () => {
    const { host, fill } = await openShare({ takeCode: unreachable })
    await fill(links)
    await pass()
    expect(host.toasts()).toEqual(['Có lỗi xảy ra khi submit URL. Vui lòng thử lại!'])
    expect(dialog().getByText('Có lỗi xảy ra khi submit URL. Vui lòng thử lại!')).toBeVisible()
    expect(field(4)).toHaveValue(links[3])
  })

  test('what was typed outlives closing the form and leaving the page', async () => {
    const { user, unmount } = await openShare()
    await user.type(field(2), 'https://facebook.com/x')
    await user.keyboard('{Escape}')
    unmount()
    await openShare()
    expect(field(2)).toHaveValue('https://facebook.com/x')
  })

  test('a press beside the form does not close it', async () => {
    const { user } = await openShare()
    await user.click(screen.getByRole('dialog'))
    expect(screen.getByRole('dialog')).toBeVisible()
  })

  // spec: claim-overlay
  test('one overlay while it is sent, and a second press sends nothing', async () => {
    const answer = pending<ClaimResult>()
    const { user, fill, takeCode } = await openShare({ takeCode: () => answer.promise })
    await fill(links)
    expect(dialog().getByText('ĐANG XỬ LÝ YÊU CẦU ...')).toBeVisible()
    expect(screen.getAllByText('ĐANG XỬ LÝ YÊU CẦU ...')).toHaveLength(1)
    await user.click(button('Gửi liên kết'))
    await user.type(field(4), '{Enter}')
    expect(takeCode).toHaveBeenCalledTimes(1)
    answer.resolve({ ok: true, codes: ['S'] })
    await pass()
    expect(dialog().getByText('S')).toBeVisible()
  })
})

describe('the streak', () => {
  const openStreak = async (api: Partial<ClientApi> = {}) => {
    const opened = await open(api)
    await opened.user.click(card('Nạp liên tiếp 5 ngày').getByRole('button', { name: 'Kiểm tra' }))
    const send = async (start: string, end: string) => {
      // A native date field takes its value whole.
      if (start) await opened.user.type(screen.getByLabelText(/Ngày bắt đầu/), start)
      if (end) await opened.user.type(screen.getByLabelText(/Ngày kết thúc/), end)
      await opened.user.click(dialog().getByRole('button', { name: 'Kiểm tra' }))
    }
    return { ...opened, send }
  }

  test.each([
    ['', '', /Ngày bắt đầu/],
    ['', '2025-08-15', /Ngày bắt đầu/],
    ['2025-08-11', '', /Ngày kết thúc/],
  ])('start %p and end %p are not enough', async (start, end, missing) => {
    const { host, send, takeCode } = await openStreak()
    await send(start, end)
    const text = 'Vui lòng nhập đầy đủ ngày bắt đầu và ngày kết thúc.'
    expect(host.calls).toEqual([{ kind: 'toast', tone: 'error', text }])
    expect(dialog().getByText(text)).toBeVisible()
    expect(screen.getByLabelText(missing)).toHaveFocus()
    expect(takeCode).not.toHaveBeenCalled()
  })

  // spec: streak-success
  test('sends the days, shows the code, and confirming refreshes', async () => {
    const { user, send, takeCode, missions } = await openStreak()
    await send('2025-08-11', '2025-08-15')
    await pass()
    expect(takeCode.mock.calls).toEqual([
      [{ mission: 'NAP_STREAK', streak: { start: '2025-08-11', end: '2025-08-15' } }],
    ])
    await user.click(dialog('Chúc mừng bạn đã nhận vé!').getByRole('button', { name: 'Xác nhận' }))
    await pass()
    expect(missions).toHaveBeenCalledTimes(2)
  })

  test('a refusal stays in the form until the next try', async () => {
    const { host, user, send, takeCode } = await openStreak({ takeCode: async () => ({ ok: false }) })
    await send('2025-08-11', '2025-08-15')
    await pass()
    expect(host.calls).toEqual([{ kind: 'toast', tone: 'error', text: 'Bạn chưa đủ điều kiện để nhận vé' }])
    expect(dialog().getByText('Bạn chưa đủ điều kiện để nhận vé')).toBeVisible()
    takeCode.mockReturnValueOnce(new Promise(() => {}))
    await user.click(dialog().getByRole('button', { name: 'Kiểm tra' }))
    expect(screen.queryByText('Bạn chưa đủ điều kiện để nhận vé')).toBeNull()
  })

  test('an exception is said once', async () => {
    const { host, send } = await openStreak({ takeCode: unreachable })
    await send('2025-08-11', '2025-08-15')
    await pass()
    expect(host.toasts()).toEqual(['Có lỗi xảy ra khi kiểm tra. Vui lòng thử lại!'])
  })
})

describe('the page around', () => {
  test('the way back ends the session and goes to the login', async () => {
    const { host, user } = await open()
    await user.click(button('Quay về'))
    expect(host.calls).toEqual([{ kind: 'session-clear' }, { kind: 'navigate', path: '/login' }])
  })
})

test.each([undefined, 'Chia sẻ sự kiện lên Facebook', 'Nạp liên tiếp 5 ngày', 'Tổng cược 5.000 điểm'])(
  'no accessibility rule is broken with the dialog of %p open',
  async (name) => {
    expectConsoleError(/getContext/) // jsdom has no canvas, which axe tries
    const { container, user } = await open()
    if (name !== undefined) {
      await user.click(card(name).getByRole('button'))
      expect(screen.getByRole('dialog')).toBeVisible()
    }
    jest.useRealTimers()
    // Contrast needs a real browser's layout.
    const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
    expect(violations).toEqual([])
  },
)
