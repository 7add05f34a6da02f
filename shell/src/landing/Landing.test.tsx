import type { DrawResults } from '@anniversary/shared/contract/host'
import { EVENTS } from '@anniversary/shared/contract/page-names'
import { createFakeHost, type FakeHostOptions } from '@anniversary/shared/testing/fake-host'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import { Landing } from './Landing.tsx'

async function open(options: FakeHostOptions = {}) {
  const host = createFakeHost(options)
  const page = render(<Landing host={host} />)
  await act(async () => {
    await import('./Live.tsx')
  })
  await act(async () => {})
  return { ...page, host }
}

test('a member is greeted until the logout, and led to /login too', async () => {
  const { host } = await open()
  expect(screen.getByText('demo01')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Đăng nhập nhận vé' })).toHaveAttribute('href', '/login')
  act(() => host.session.clear())
  expect(screen.queryByText('demo01')).toBeNull()
})

test('after a draw one line names a winner, and does not change', async () => {
  jest.useFakeTimers()
  const owners = ['de***03', 'de***04']
  const draws = async () => [{ draw: 1, prize: 'Xe máy', codes: ['A', 'B'], owners }]
  await open({ api: { draws } })
  await act(() => jest.advanceTimersByTimeAsync(7000))
  expect(screen.getByText('Xe máy', { selector: '[data-news] b' })).toBeVisible()
  expect(screen.getByText('de***03', { selector: '[data-news] b' })).toBeVisible()
})

// spec: landing
test('two pictures link to the registration and the login', async () => {
  const { container } = await open({ session: null })
  expect(
    screen.getByRole('heading', { level: 1, name: 'Đại tiệc sinh nhật – Vé số may mắn' }),
  ).toBeVisible()
  const links = within(screen.getByRole('navigation', { name: 'Bắt đầu' })).getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/megalive', '/login'])
  // Names contain the words in the pictures, for voice control (WCAG 2.5.3).
  expect(links[0]).toHaveAccessibleName(/^Đăng ký quay số/)
  expect(links[1]).toHaveAccessibleName(/^Đăng nhập nhận vé/)
  // Each drawing is a document on the main thread, ahead of the first frame.
  // None moves the page when it arrives.
  const pictures = container.querySelectorAll('[class*=hero] img')
  expect(pictures).toHaveLength(4)
  for (const picture of pictures) {
    expect(picture).toHaveAttribute('width')
    expect(picture).toHaveAttribute('height')
  }
})

test("the first screen names the special prize and the draws' dates", async () => {
  await open()
  expect(screen.getAllByText('Xe ô tô')[0]).toBeVisible()
  const nights = screen.getByRole('list', { name: 'Ba đêm quay thưởng' })
  expect(nights).toHaveTextContent('09/09 Quay lần 119/09 Quay lần 229/09 Quay lần 3')
})

test.each([
  ['2025-08-20T20:00:00+07:00', 'Giai đoạn 1 kết thúc sau'],
  ['2025-09-29T22:00:00+07:00', 'Sự kiện đã kết thúc. Cảm ơn bạn đã đồng hành!'],
])('at %s it says %p', async (now, text) => {
  await open({ now: () => new Date(now) })
  expect(screen.getByText(text)).toBeVisible()
})

test("at a draw's end the results reload, a failed answer removes none", async () => {
  jest.useFakeTimers({ now: new Date('2025-09-09T21:59:59+07:00') })
  const won = [{ draw: 1, prize: 'Xe máy', codes: ['A51C-20QB-17CB'] }]
  const draws = jest.fn(async () => won)
  await open({ now: () => new Date(), api: { draws } })
  // What the client makes of a failure.
  draws.mockResolvedValue([])
  await act(() => jest.advanceTimersByTimeAsync(27_000))
  expect(draws).toHaveBeenCalledTimes(2)
  expect(screen.getByText('A51C-20QB-17CB')).toBeVisible()
})

test('results show and disappear while the page is open', async () => {
  jest.useFakeTimers({ now: new Date('2025-09-09T20:30:00+07:00') })
  jest.spyOn(Math, 'random').mockReturnValue(0.5)
  const won = [{ draw: 1, prize: 'Xe máy', codes: ['A51C-20QB-17CB'] }]
  const draws = jest.fn(async (): Promise<DrawResults> => won).mockResolvedValueOnce([])
  await open({ now: () => new Date(), api: { draws } })
  await act(() => jest.advanceTimersByTimeAsync(110_000))
  expect(screen.getByText('A51C-20QB-17CB')).toBeVisible()
  draws.mockResolvedValue(Object.assign([], { frozen: [] }))
  await act(() => jest.advanceTimersByTimeAsync(110_000))
  expect(screen.queryByText('A51C-20QB-17CB')).toBeNull()
  // The first one, and one for each news.
  expect(draws).toHaveBeenCalledTimes(3)
})

test('results that could not be loaded are asked for with the network, once', async () => {
  const turn = () => new Promise((resolve) => setTimeout(resolve))
  const tell = () => dispatchEvent(new Event(EVENTS.networkFound))
  const draws = jest.fn(async () => [])
  await open({ api: { draws } })
  // An answer tells of a found network before it is read.
  draws.mockImplementation(async () => {
    await turn()
    tell()
    return []
  })
  act(() => void tell())
  for (let i = 0; i < 5; i++) await act(turn)
  expect(draws).toHaveBeenCalledTimes(2)
})

test('each frozen list shows count and digest, and its file once its draw begins', async () => {
  const listOf = (draw: number, count: number) => ({
    ...{ draw, count, sha256: '9f3c21aa'.repeat(8) },
    frozenAt: '2025-09-09T18:00:00+07:00',
  })
  const frozen = [listOf(1, 412_307), listOf(2, 530_001)]
  const draws = async () => Object.assign([], { frozen })
  const files = () => screen.queryAllByText('Xem danh sách').map((a) => a.getAttribute('href'))
  await open({ now: () => new Date('2025-09-19T19:00:00+07:00'), api: { draws } })
  const lines = screen.getAllByText(/^Danh sách lần/).map((line) => line.textContent)
  expect(lines).toEqual([
    'Danh sách lần 2: 530.001 vé · mã kiểm tra 9f3c 21aa …',
    'Danh sách lần 1: 412.307 vé · mã kiểm tra 9f3c 21aa …',
  ])
  expect(screen.getAllByText(/Danh sách không thay đổi sau khi chốt/)).toHaveLength(2)
  expect(files()).toEqual(['/api/client/draws/1/list'])
  cleanup()
  await open({ now: () => new Date('2025-09-19T20:00:00+07:00'), api: { draws } })
  expect(files()).toEqual(['/api/client/draws/2/list', '/api/client/draws/1/list'])
})

test('prizes, rules and check follow below the first screen', async () => {
  await open()
  expect(screen.getByRole('heading', { name: 'Cơ cấu giải thưởng' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Thể lệ chương trình' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Kiểm tra vé' })).toHaveAttribute('href', '/check')
})
