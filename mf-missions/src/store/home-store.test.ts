import { createApiError } from '@anniversary/shared/client/api-error'
import { type Moment, momentsBetween } from '@anniversary/shared/contract/event-timeline'
import type {
  ClaimResult,
  ClientApi,
  DrawResults,
  HistoryResult,
  Mission,
  Win,
} from '@anniversary/shared/contract/host'
import { EVENTS } from '@anniversary/shared/contract/page-names'
import { createFakeHost, type FakeHostOptions } from '@anniversary/shared/testing/fake-host'
import { pending } from '@anniversary/shared/testing/pending'
import { lostAnswers, missionApi, typicalMissions } from '../fixtures.ts'
import { missionTexts as texts } from '../texts.ts'
import { createHomeStore, type HomeStore } from './home-store.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => sessionStorage.clear())

const NO_TICKETS: HistoryResult = { ok: true, tickets: [], giftcodes: [], lastDraw: 1 }
const settle = () => jest.advanceTimersByTimeAsync(0)
const unreachable = () => Promise.reject(createApiError('unreachable', ''))

/** A connected store whose calls are counted and answered by the given api. */
async function visit(api: Partial<ClientApi> = {}, options: FakeHostOptions = {}) {
  const answers = { ...missionApi(), ...api }
  const missions = jest.fn(answers.missions)
  const takeCode = jest.fn(answers.takeCode)
  const host = createFakeHost({ ...options, api: { ...answers, missions, takeCode } })
  const store = createHomeStore(host)
  const disconnect = store.connect()
  await settle()
  return { host, store, disconnect, missions, takeCode }
}

type Visit = Awaited<ReturnType<typeof visit>>

function mission(id: string): Mission {
  const found = typicalMissions.find((one) => one.id === id)
  if (!found) throw new Error(id)
  return found
}
async function claim(store: HomeStore) {
  store.press(mission('NAP_300'))
  await jest.advanceTimersByTimeAsync(1000)
}
async function openForm(id: string, api: Partial<ClientApi> = {}) {
  const visited = await visit(api)
  visited.store.press(mission(id))
  return visited
}
const goOffline = () => jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
const comeBack = (persisted = true) =>
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted }))
const links = [1, 2, 3, 4].map((n) => `https://facebook.com/posts/${n}`)
const send = (store: HomeStore, id: string) =>
  id === 'CHIASE'
    ? store.submitShare(links)
    : store.submitStreak({ start: '2025-08-11', end: '2025-08-15' })

describe('loading the list', () => {
  // spec: six-cards
  test('shows at most six missions, in the order of the server', async () => {
    const many = [...typicalMissions].reverse().concat({ ...mission('NAP_300'), id: 'SEVENTH' })
    const { store } = await visit({ missions: async () => many })
    expect(store.state().missions).toEqual(many.slice(0, 6))
  })

  test('only the list requested last is shown', async () => {
    const { store, missions } = await visit()
    const slow = pending<readonly Mission[]>()
    missions.mockReturnValueOnce(slow.promise)
    store.reload()
    missions.mockResolvedValueOnce([mission('CHIASE')])
    store.reload()
    await settle()
    slow.resolve([])
    await settle()
    expect(store.state().missions).toEqual([mission('CHIASE')])
  })

  test('a failure after the page was left is silent', async () => {
    const slow = pending<readonly Mission[]>()
    const { host, disconnect } = await visit({ missions: () => slow.promise })
    disconnect()
    slow.reject(createApiError('unreachable', ''))
    await settle()
    expect(host.calls).toEqual([])
  })

  test.each([
    ['2025-09-06T12:00:00+07:00', 0],
    // The list of the draw may be frozen.
    ['2025-09-09T19:59:59+07:00', 1],
    ['2025-09-09T20:00:00+07:00', 1],
  ])('at %s lists and results of the draws are asked for: %i', async (now, times) => {
    const won = [{ draw: 1, prize: 'Xe máy', codes: ['A'] }]
    const draws = jest.fn(async () => won)
    const history = async () => NO_TICKETS
    const { store } = await visit({ draws, history }, { now: () => new Date(now) })
    expect(draws).toHaveBeenCalledTimes(times)
    expect(store.state().results).toEqual(times ? won : [])
  })

  test('the next list takes its place at its time without a call, also when it was on its way', async () => {
    let now = '2025-09-09T23:59:59+07:00'
    const at = new Date('2025-09-10T00:00:00+07:00')
    const list = Object.assign([mission('CHIASE')], {
      next: { at, missions: [mission('NAP_300')] },
    })
    const { store, missions } = await visit(
      { missions: async () => list },
      { now: () => new Date(now) },
    )
    store.turn()
    expect(store.state().missions).toEqual([mission('CHIASE')])
    now = '2025-09-10T00:00:00+07:00'
    store.turn()
    expect(store.state()).toMatchObject({ missions: [mission('NAP_300')], next: null })
    expect(missions).toHaveBeenCalledTimes(1)
    store.reload()
    await settle()
    expect(store.state().missions).toEqual([mission('NAP_300')])
  })

  test.each([
    ['at the end of its stage', '2025-09-07T00:00:00+07:00', 'NAP_300'],
    ['until the next one', '2025-09-10T00:00:00+07:00', null],
  ])('a lost claim is told %s', async (_when, at, lost) => {
    let now = '2025-08-20T20:00:00+07:00'
    const next = { at: new Date(at), missions: [mission('NAP_300')] }
    const { store } = await visit(
      {
        missions: async () => Object.assign([...typicalMissions], { next }),
        takeCode: unreachable,
      },
      { now: () => new Date(now) },
    )
    await claim(store)
    expect(store.state().lost).toBe('NAP_300')
    now = at
    store.turn()
    expect(store.state()).toMatchObject({ next: null, lost })
  })

  test('a stage asks for the list alone, a draw for the results alone', async () => {
    const draws = jest.fn(async () => [])
    const { store, missions } = await visit(
      { draws },
      { now: () => new Date('2025-09-10T00:01:00+07:00') },
    )
    const stage: Moment = { kind: 'stage-start', stage: 2, target: new Date() }
    const draw: Moment = { ...stage, kind: 'draw-end' }
    for (const [moments, ...calls] of [
      [[stage], 2, 1],
      [[draw], 2, 2],
      [[draw, stage], 3, 3],
    ] as const) {
      store.afterMoments(moments)
      await settle()
      expect([missions, draws].map(({ mock }) => mock.calls.length)).toEqual(calls)
    }
  })

  test("a page open since the stage knows of the draw on the draw's evening", async () => {
    let now = '2025-09-06T23:59:00+07:00'
    const { store } = await visit({ history: async () => NO_TICKETS }, { now: () => new Date(now) })
    expect(store.state().isDrawNext).toBe(false)
    now = '2025-09-09T20:05:00+07:00'
    store.afterMoments(momentsBetween(new Date('2025-09-06T23:59:00+07:00'), new Date(now)))
    await settle()
    expect(store.state().isDrawNext).toBe(true)
  })

  test('the list reloads when the back-forward cache restores the page', async () => {
    const { missions, disconnect } = await visit()
    comeBack(false)
    expect(missions).toHaveBeenCalledTimes(1)
    comeBack()
    expect(missions).toHaveBeenCalledTimes(2)
    disconnect()
    comeBack()
    expect(missions).toHaveBeenCalledTimes(2)
  })
})

describe('a claim', () => {
  // spec: claim-delay
  test('a claim locks at once and is sent once, after one second', async () => {
    const { store, takeCode } = await visit()
    store.press(mission('NAP_300'))
    expect(store.state().busy).toBe('NAP_300')
    await jest.advanceTimersByTimeAsync(999)
    expect(takeCode).not.toHaveBeenCalled()
    await jest.advanceTimersByTimeAsync(1)
    expect(takeCode.mock.calls).toEqual([[{ mission: 'NAP_300' }]])
    expect(store.state()).toMatchObject({
      busy: null,
      dialog: { kind: 'codes', codes: ['A51C-20Q0-17C0'], fresh: true },
    })
    await jest.advanceTimersByTimeAsync(60_000)
    expect(takeCode).toHaveBeenCalledTimes(1)
  })

  test('further clicks during a claim ask the member to wait', async () => {
    const answer = pending<ClaimResult>()
    const { host, store, takeCode } = await visit({ takeCode: () => answer.promise })
    for (const id of ['NAP_300', 'NAP_300', 'NAP_10LAN', 'CHIASE', 'NAP_STREAK'])
      store.press(mission(id))
    expect(store.state().dialog).toBeNull()
    expect(new Set(host.toasts())).toEqual(
      new Set(['Đang nhận vé cho nhiệm vụ khác. Vui lòng chờ trong giây lát.']),
    )
    await jest.advanceTimersByTimeAsync(10 * 60_000)
    store.press(mission('NAP_300'))
    await jest.advanceTimersByTimeAsync(10 * 60_000)
    expect(takeCode).toHaveBeenCalledTimes(1)
    expect(store.state().busy).toBe('NAP_300')
    answer.resolve({ ok: true, codes: ['A'] })
    await settle()
    expect(store.state()).toMatchObject({ busy: null, dialog: { kind: 'codes', codes: ['A'] } })
  })

  test('entering the back-forward cache within the second cancels the claim', async () => {
    const { store, takeCode } = await visit()
    store.press(mission('NAP_300'))
    comeBack()
    await jest.advanceTimersByTimeAsync(5000)
    expect(takeCode).not.toHaveBeenCalled()
    expect(store.state().busy).toBeNull()
  })

  test('a claim that was sent survives the back-forward cache', async () => {
    const answer = pending<ClaimResult>()
    const { store } = await visit({ takeCode: () => answer.promise })
    await claim(store)
    comeBack()
    answer.resolve({ ok: true, codes: ['A'] })
    await settle()
    expect(store.state().dialog).toMatchObject({ codes: ['A'] })
  })

  test('an older list does not undo a claim, closing the dialog reloads', async () => {
    const { store, missions } = await visit()
    store.press(mission('NAP_300'))
    await jest.advanceTimersByTimeAsync(999)
    const old = pending<readonly Mission[]>()
    missions.mockReturnValueOnce(old.promise)
    store.reload()
    await jest.advanceTimersByTimeAsync(1)
    old.resolve(typicalMissions)
    await settle()
    expect(store.state().missions?.[0]).toMatchObject({ claimed: 1, codes: ['A51C-20Q0-17C0'] })
    expect(store.state().loading).toBe(false)
    store.closeDialog()
    store.closeDialog()
    await settle()
    expect(missions).toHaveBeenCalledTimes(3)
    expect(store.state()).toMatchObject({ dialog: null, loading: false })
  })

  // spec: claim-refusal
  test.each([
    ['Giai đoạn đã kết thúc', 'Giai đoạn đã kết thúc'],
    [undefined, 'Không tìm thấy thông tin nhiệm vụ'],
    ['', texts.missionNotFound],
  ])(
    'a refusal with message %p shows an error dialog that reloads the page',
    async (message, text) => {
      const { host, store } = await visit({
        takeCode: async () => ({ ok: false, ...(message !== undefined && { message }) }),
      })
      await claim(store)
      expect(store.state()).toMatchObject({ busy: null, dialog: { kind: 'refused', text } })
      expect(host.calls).toEqual([])
      store.closeDialog()
      store.closeDialog()
      expect(host.calls).toEqual([{ kind: 'reload' }])
    },
  )

  // spec: claim-error
  test('a claim that fails warns once and reloads the list', async () => {
    const { host, store, missions, takeCode } = await visit(lostAnswers())
    store.press(mission('NAP_300'))
    await jest.advanceTimersByTimeAsync(60_000)
    expect(host.calls).toEqual([
      {
        kind: 'toast',
        tone: 'error',
        text: 'Có lỗi xảy ra khi nhận phần thưởng. Vui lòng thử lại!',
      },
    ])
    expect(takeCode).toHaveBeenCalledTimes(1)
    expect(missions).toHaveBeenCalledTimes(2)
    expect(store.state()).toMatchObject({ busy: null, dialog: null, lost: 'NAP_300' })
    expect(store.state().missions?.[0]).toMatchObject({ claimed: 1, codes: ['A51C-20Q0-17C0'] })
    store.press({ ...mission('NAP_300'), claimed: 1 })
    expect(store.state().lost).toBeNull()
  })

  test('offline, the list reloads when the network is back', async () => {
    const { store, missions, takeCode } = await visit({ takeCode: unreachable })
    store.press(mission('NAP_300'))
    goOffline()
    await jest.advanceTimersByTimeAsync(1000)
    expect(missions).toHaveBeenCalledTimes(1)
    expect(store.state()).toMatchObject({ failed: true, loading: false, lost: 'NAP_300' })
    window.dispatchEvent(new Event('online'))
    await settle()
    // A list that is there is not asked for again.
    window.dispatchEvent(new Event('online'))
    expect(missions).toHaveBeenCalledTimes(2)
    expect(store.state()).toMatchObject({ failed: false, lost: 'NAP_300' })
    takeCode.mockResolvedValueOnce({ ok: true, codes: ['A'] })
    await claim(store)
    expect(store.state().lost).toBeNull()
  })
})

describe('wins', () => {
  const win = { code: 'A51C-20QB-17CB', draw: 1, prize: 'Xe máy' }
  const second = { code: 'Z07K-9M4T-XW2E', draw: 1, prize: 'Code 999k' }
  const EVENING = { now: () => new Date('2025-09-09T20:30:00+07:00') }
  const historyOf = (...prizes: readonly Win[]): HistoryResult => ({
    ok: true,
    tickets: [{ mission: 'X', name: 'X', codes: [win.code, second.code], claimedAt: '', prizes }],
    giftcodes: [],
    lastDraw: 1,
  })
  const visitAfter = (...prizes: readonly Win[]) =>
    visit({ history: async () => historyOf(...prizes), draws: async () => [] }, EVENING)
  afterEach(() => localStorage.clear())

  test('each win is celebrated once in a browser', async () => {
    const { store, disconnect } = await visitAfter(win)
    expect(store.state().dialog).toEqual({ kind: 'won', wins: [win] })
    store.closeDialog()
    expect(store.state().dialog).toBeNull()
    disconnect()
    expect((await visitAfter(win)).store.state()).toMatchObject({
      dialog: null,
      tickets: [{ prizes: [win] }],
    })
    const failed = await visit({ history: unreachable, draws: async () => [] }, EVENING)
    expect(failed.store.state()).toMatchObject({ failed: false, tickets: null })
    expect(failed.host.toasts()).toEqual([])
    const last = await visitAfter(win, second)
    expect(last.store.state().dialog).toEqual({ kind: 'won', wins: [second] })
    last.store.logOut()
    // For the next member of a shared phone.
    expect(localStorage).toHaveLength(0)
  })

  test('a win that was undone disappears and is celebrated when it returns', async () => {
    await visitAfter(win)
    const { store } = await visitAfter()
    expect(store.state()).toMatchObject({ dialog: null, tickets: [{ prizes: [] }] })
    expect((await visitAfter(win)).store.state().dialog).toMatchObject({ kind: 'won' })
  })

  test('a win waits for an open form, with blocked storage it shows once a visit', async () => {
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('', 'QuotaExceededError')
    })
    const history = jest.fn(async () => historyOf())
    const { store } = await visit({ history, draws: async () => [] }, EVENING)
    store.press(mission('CHIASE'))
    history.mockResolvedValue(historyOf(win))
    store.reloadResults()
    await settle()
    expect(store.state().dialog).toMatchObject({ kind: 'share' })
    store.closeDialog()
    expect(store.state().dialog).toMatchObject({ kind: 'won' })
    store.closeDialog()
    store.reloadResults()
    await settle()
    expect(store.state().dialog).toBeNull()
  })

  test('a win behind a refused claim is celebrated after the reload', async () => {
    const history = jest.fn(async () => historyOf())
    const refused = { takeCode: async () => ({ ok: false as const }) }
    const { store } = await visit({ ...refused, history, draws: async () => [] }, EVENING)
    await claim(store)
    history.mockResolvedValue(historyOf(win))
    await store.reloadResults()
    store.closeDialog()
    expect(store.state().dialog).toBeNull()
    expect((await visitAfter(win)).store.state().dialog).toMatchObject({ kind: 'won' })
  })

  test('results wait for the tickets, and both are asked for again', async () => {
    const result = { draw: 1, prize: 'X', codes: [] }
    const history = jest.fn(async (): Promise<HistoryResult> => unreachable())
    const draws = jest.fn(async (): Promise<DrawResults> => [result])
    const { store } = await visit({ history, draws }, EVENING)
    expect(store.state().results).toEqual([])
    history.mockResolvedValue(NO_TICKETS)
    dispatchEvent(new Event('online'))
    await settle()
    expect(store.state().results).toEqual([result])
    dispatchEvent(new Event('online'))
    expect(history).toHaveBeenCalledTimes(2)
    // As a failed call answers.
    draws.mockResolvedValue([])
    await store.reloadResults()
    expect(store.state().results).toEqual([result])
    draws.mockResolvedValue(Object.assign([], { frozen: [] }))
    await store.reloadResults()
    expect(store.state().results).toHaveLength(0)
  })
})

test('answers that tell of a found network are read, and repeat no call', async () => {
  const told =
    <Answer>(answer: () => Promise<Answer>) =>
    async () => {
      dispatchEvent(new Event(EVENTS.networkFound))
      return await answer()
    }
  const history = jest.fn(told<HistoryResult>(unreachable))
  const draws = jest.fn(told(async () => []))
  const { store, missions } = await visit(
    { missions: unreachable, history, draws },
    { now: () => new Date('2025-09-09T20:30:00+07:00') },
  )
  missions.mockImplementation(told(async () => typicalMissions))
  store.reload()
  await jest.advanceTimersByTimeAsync(1000)
  expect(store.state().missions).toHaveLength(typicalMissions.length)
  await store.reloadResults()
  await jest.advanceTimersByTimeAsync(1000)
  expect([missions, draws, history].map(({ mock }) => mock.calls.length)).toEqual([2, 3, 3])
})

describe('a dialog whose code cannot be loaded', () => {
  test('is told, and the new ticket is on its card', async () => {
    const { host, store } = await visit()
    await claim(store)
    store.giveUpDialog()
    expect(host.toasts()).toEqual([texts.notLoaded])
    expect(store.state()).toMatchObject({ dialog: null, landing: null, landed: 'NAP_300' })
  })

  test('leaves its refusal to be read after the reload', async () => {
    const { host, store } = await visit({ takeCode: async () => ({ ok: false, message: 'Hết' }) })
    await claim(store)
    store.giveUpDialog()
    expect(host.calls).toEqual([
      { kind: 'toast', tone: 'error', text: 'Hết', options: { afterReload: true } },
      { kind: 'reload' },
    ])
  })
})

test('a list that is refused to a banned member keeps what the server said', async () => {
  const banned = createApiError('refused', 'Tài khoản đã bị khóa.', 403)
  const { store, missions } = await visit()
  missions.mockRejectedValue(banned)
  store.reload()
  await settle()
  expect(store.state()).toMatchObject({
    missions: null,
    failed: true,
    refusal: 'Tài khoản đã bị khóa.',
  })
})

describe('a form', () => {
  // spec: share-backstop
  test('the store rejects a blank link', async () => {
    const { host, store, takeCode } = await openForm('CHIASE')
    store.submitShare(['a', 'b', '  ', 'd'])
    expect(host.calls).toEqual([
      { kind: 'toast', tone: 'error', text: 'Vui lòng nhập đầy đủ 4 URL!' },
    ])
    expect(takeCode).not.toHaveBeenCalled()
    expect(store.state()).toMatchObject({
      dialog: { kind: 'share' },
      problem: texts.shareIncomplete,
    })
  })

  test('a form closes when its claim turns out granted', async () => {
    const { store } = await openForm('CHIASE', lostAnswers())
    send(store, 'CHIASE')
    await settle()
    expect(store.state()).toMatchObject({ dialog: null, problem: null, lost: 'CHIASE' })
  })

  test('a form stays open with a message when its mission closes', async () => {
    const { host, store, missions } = await openForm('CHIASE')
    missions.mockResolvedValue([{ ...mission('CHIASE'), claimed: 0 }])
    store.reload()
    await settle()
    expect(store.state()).toMatchObject({ dialog: { kind: 'share' }, problem: texts.notOpen })
    expect(host.toasts()).toEqual([texts.notOpen])
  })

  test.each<[string, ClaimResult, unknown]>([
    ['CHIASE', { ok: true, codes: ['S'] }, { kind: 'codes', codes: ['S'], fresh: true }],
    ['NAP_STREAK', { ok: false }, null],
  ])('a form of %s closed before its answer %j leads to %j', async (id, result, dialog) => {
    const answer = pending<ClaimResult>()
    const { store } = await openForm(id, { takeCode: () => answer.promise })
    send(store, id)
    store.closeDialog()
    expect(store.state()).toMatchObject({ dialog: null, busy: id })
    answer.resolve(result)
    await settle()
    expect(store.state()).toMatchObject({ dialog, problem: null, busy: null })
  })

  test('a granted share drops the draft after the member has left', async () => {
    const answer = pending<ClaimResult>()
    const { store, disconnect } = await openForm('CHIASE', { takeCode: () => answer.promise })
    sessionStorage.setItem('share-draft:demo01', JSON.stringify(links))
    send(store, 'CHIASE')
    disconnect()
    answer.resolve({ ok: true, codes: ['S'] })
    await settle()
    expect(sessionStorage).toHaveLength(0)
  })
})

// spec: form-error
test.each([
  ['CHIASE', 'Có lỗi xảy ra khi submit URL. Vui lòng thử lại!'],
  ['NAP_STREAK', 'Có lỗi xảy ra khi kiểm tra. Vui lòng thử lại!'],
])('a failed %s keeps form and draft, warns once and reloads the list', async (id, text) => {
  const { host, store, missions } = await openForm(id, { takeCode: unreachable })
  sessionStorage.setItem('share-draft:demo01', JSON.stringify(links))
  send(store, id)
  await settle()
  expect(host.calls).toEqual([{ kind: 'toast', tone: 'error', text }])
  expect(store.state()).toMatchObject({ dialog: { mission: { id } }, problem: text, lost: id })
  expect(missions).toHaveBeenCalledTimes(2)
  expect(sessionStorage).toHaveLength(1)
})

describe('the session', () => {
  test.each([
    [
      'another member',
      2,
      ({ host }: Visit) => host.session.start({ sign: 'other', username: 'demo02' }),
    ],
    ['nobody', 1, ({ host }: Visit) => host.session.clear()],
    ['a page that was left', 1, ({ disconnect }: Visit) => disconnect()],
  ])('a claim not yet sent is never sent for %s; lists asked for: %i', async (_, lists, change) => {
    const visited = await visit()
    const { store, takeCode, missions } = visited
    store.press(mission('NAP_300'))
    change(visited)
    await jest.advanceTimersByTimeAsync(5000)
    expect(takeCode).not.toHaveBeenCalled()
    expect(missions).toHaveBeenCalledTimes(lists)
    expect(store.state()).toMatchObject({ busy: null, loading: false })
  })

  test.each(['resolve', 'reject'] as const)(
    'answers for a page or member that is gone are dropped: %s',
    async (how) => {
      for (const leave of ['page', 'session'] as const) {
        const answer = pending<ClaimResult>()
        const { host, store, disconnect } = await visit({ takeCode: () => answer.promise })
        await claim(store)
        if (leave === 'page') disconnect()
        else host.session.start({ sign: 'other', username: 'demo02' })
        answer[how]({ ok: true, codes: ['A'] })
        await settle()
        expect(host.toasts()).toEqual([])
        expect(store.state()).toMatchObject({ dialog: null, lost: null })
      }
    },
  )
})
