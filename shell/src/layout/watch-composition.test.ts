import { IDS } from '@anniversary/shared/contract/page-names'
import { act, screen } from '@testing-library/react'
import { lookForNewVersion, newVersionStore, watchComposition } from './watch-composition.ts'

let deployed: { number: number; remotes: Record<string, { status: string }> }
let asked: number
let off: string[][]
let end: () => void

beforeEach(() => {
  jest.useFakeTimers()
  jest.spyOn(Math, 'random').mockReturnValue(1)
  deployed = { number: 7, remotes: {} }
  asked = 0
  newVersionStore.setState({ isNewer: false })
  off = []
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    asked += 1
    return new Response(JSON.stringify(deployed))
  })
  end = watch()
})
const watch = () => watchComposition({ number: 7 }, (remotes) => off.push([...remotes]))
const isNewer = () => newVersionStore.getState().isNewer
afterEach(() => end())
async function focus(): Promise<void> {
  window.dispatchEvent(new Event('focus'))
  await jest.advanceTimersByTimeAsync(0)
}

test('focus checks the composition, but not every time', async () => {
  await focus()
  await focus()
  expect(asked).toBe(1)
  await jest.advanceTimersByTimeAsync(10_000)
  await focus()
  expect(asked).toBe(2)
  expect(isNewer()).toBe(false)
})

test('a page shown again from the cache checks at once', async () => {
  // jsdom has no navigation entries.
  Object.assign(performance, { getEntriesByType: () => [{ type: 'back_forward' }] })
  const endAnother = watch()
  Reflect.deleteProperty(performance, 'getEntriesByType')
  await jest.advanceTimersByTimeAsync(0)
  expect(asked).toBe(1)
  endAnother()
})

test('the composition is checked every minute with jitter', async () => {
  await jest.advanceTimersByTimeAsync(55_000)
  expect(asked).toBe(1)
  jest.spyOn(Math, 'random').mockReturnValue(0)
  const endAnother = watch()
  await jest.advanceTimersByTimeAsync(40_000)
  expect(asked).toBe(2)
  endAnother()
})

test('a clock that was set back does not stop the checks', async () => {
  await focus()
  jest.setSystemTime(Date.now() - 3 * 3_600_000)
  await jest.advanceTimersByTimeAsync(55_000)
  expect(asked).toBe(2)
})

test('a page in the background does not ask', async () => {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await jest.advanceTimersByTimeAsync(15 * 60_000)
  expect(asked).toBe(0)
})

test('an answer that is no composition is ignored', async () => {
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}'))
  await focus()
  expect(isNewer()).toBe(false)
  expect(off).toEqual([])
})

test('a rollback counts as new, a failed load checks at once', async () => {
  await focus()
  deployed = { number: 6, remotes: {} }
  lookForNewVersion()
  await jest.advanceTimersByTimeAsync(0)
  expect([asked, isNewer()]).toEqual([2, true])
})

test('a remote that is switched off, then removed, stays off until it is on again', async () => {
  await focus()
  expect(off).toEqual([])
  const minute = () => jest.advanceTimersByTimeAsync(60_000)
  deployed = { number: 8, remotes: { 'mf-x': { status: 'off' }, 'mf-y': { status: 'on' } } }
  await minute()
  await minute()
  expect(off).toEqual([['mf-x']])
  deployed = { number: 9, remotes: {} }
  await minute()
  expect(off).toEqual([['mf-x']])
  deployed = { number: 10, remotes: { 'mf-x': { status: 'on' } } }
  await minute()
  expect(off).toEqual([['mf-x'], []])
})

test.each([
  ['two hours behind shows no notice that has ended', -2, -1],
  ['two hours ahead shows a notice that holds', 2, 1],
])('a phone whose clock is %s', async (_, hoursAhead, hoursLeft) => {
  document.body.innerHTML = `<div id="${IDS.appRoot}"><div role="status"></div></div>`
  const hour = 3_600_000
  const date = new Date(Date.now() - hoursAhead * hour)
  const until = new Date(date.getTime() + hoursLeft * hour).toISOString()
  const notice = { text: 'Buổi quay bắt đầu lúc 20:15', until }
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    const headers = { date: date.toUTCString() }
    return new Response(JSON.stringify({ ...deployed, notice }), { headers })
  })
  const endAnother = watchComposition({ number: 7, notice }, () => undefined)
  await act(() => jest.advanceTimersByTimeAsync(0))
  expect(screen.queryAllByText(notice.text)).toHaveLength(hoursLeft > 0 ? 1 : 0)
  endAnother()
})
