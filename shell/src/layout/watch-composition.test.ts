import { lookAgain, newVersion, watchComposition } from './watch-composition.ts'

let deployed: { number: number; remotes: Record<string, { status: string }> }
let asked: number
let off: string[][]
let end: () => void

beforeEach(() => {
  jest.useFakeTimers()
  jest.spyOn(Math, 'random').mockReturnValue(1)
  deployed = { number: 7, remotes: {} }
  asked = 0
  newVersion.setState({ isNewer: false })
  off = []
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    asked += 1
    return new Response(JSON.stringify(deployed))
  })
  end = watch()
})
const watch = () => watchComposition(7, (remotes) => off.push([...remotes]))
const isNewer = () => newVersion.getState().isNewer
afterEach(() => end())
async function focus(): Promise<void> {
  window.dispatchEvent(new Event('focus'))
  await jest.advanceTimersByTimeAsync(0)
}

test('asks on focus, not at every one', async () => {
  await focus()
  await focus()
  expect(asked).toBe(1)
  await jest.advanceTimersByTimeAsync(10_000)
  await focus()
  expect(asked).toBe(2)
  expect(isNewer()).toBe(false)
})

test('asks at least once a minute, and not all pages at once', async () => {
  await jest.advanceTimersByTimeAsync(55_000)
  expect(asked).toBe(1)
  jest.spyOn(Math, 'random').mockReturnValue(0)
  const endAnother = watch()
  await jest.advanceTimersByTimeAsync(40_000)
  expect(asked).toBe(2)
  endAnother()
})

test('asks also after the clock was set back', async () => {
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

test('an answer that is no composition says nothing', async () => {
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}'))
  await focus()
  expect(isNewer()).toBe(false)
  expect(off).toEqual([])
})

test('a rollback is new too, and what fails to load is a reason to look at once', async () => {
  await focus()
  deployed = { number: 6, remotes: {} }
  lookAgain()
  await jest.advanceTimersByTimeAsync(0)
  expect([asked, isNewer()]).toEqual([2, true])
})

test('tells what is switched off, and that it is on again', async () => {
  await focus()
  expect(off).toEqual([])
  const minute = () => jest.advanceTimersByTimeAsync(60_000)
  deployed = { number: 8, remotes: { 'mf-x': { status: 'off' }, 'mf-y': { status: 'on' } } }
  await minute()
  await minute()
  expect(off).toEqual([['mf-x']])
  deployed = { number: 9, remotes: { 'mf-x': { status: 'on' } } }
  await minute()
  expect(off).toEqual([['mf-x'], []])
})
