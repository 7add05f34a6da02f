import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import {
  fakeRemote as composed,
  fakeRelease as release,
} from '@anniversary/shared/testing/fake-release'
import { pending } from '@anniversary/shared/testing/pending'
import { createRemoteLoader, type PageComponent } from './remote-loader.ts'

const Page: PageComponent = () => null
const LatePage: PageComponent = () => null
const withPrevious = composed({ previous: release('1') })

/**
 * A loader over a script of answers: one a call, in order. `'hang'` never
 * answers.
 */
function setUp(
  remote: ComposedRemote,
  answers: (PageComponent | Error | 'hang' | Promise<PageComponent>)[],
  hostReady?: Promise<unknown>,
) {
  const calls: string[] = []
  const failed: unknown[][] = []
  const signals: AbortSignal[] = []
  const loader = createRemoteLoader({
    remote: () => remote,
    placeOf: async (path) => (path === '/page' ? { name: 'mf-x', expose: './Page' } : undefined),
    ...(hostReady && { hostReady }),
    onFailure: ({ owner, phase, error, next }) =>
      void failed.push([owner.version, phase, String(error), next]),
    loadExpose({ version }, _expose, { query, signal }) {
      calls.push(query ? `${version} fresh` : version)
      signals.push(signal)
      const answer = answers.shift()
      if (answer === undefined) throw new Error('asked more often than expected')
      if (answer === 'hang') return new Promise(() => undefined)
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    },
  })
  const state = () => loader.state('mf-x', './Page')
  return { loader, state, calls, failed, signals, load: () => loader.load('mf-x', './Page') }
}

beforeEach(() => void jest.useFakeTimers())

test('a page is loaded once for many calls', async () => {
  const { state, load, calls } = setUp(composed(), [Page])
  expect(state().status).toBe('loading')
  await Promise.all([load(), load()])
  expect(state()).toMatchObject({ status: 'ready', Page, release: { version: '2' } })
  expect(calls).toEqual(['2'])
})

test('a page hides while its remote is switched off', async () => {
  const { loader, state, load, calls } = setUp(composed(), [Page])
  await load()
  const ready = state()
  const told = jest.fn()
  loader.subscribe(told)
  loader.switchOff(new Set(['mf-x']))
  expect(told).toHaveBeenCalledTimes(1)
  expect(state()).toEqual({ status: 'failed', reason: 'off' })
  expect(state()).toBe(state())
  loader.retry('mf-x', './Page')
  loader.retryAll()
  loader.switchOff(new Set(['mf-other']))
  expect(state()).toBe(ready)
  expect(calls).toHaveLength(1)
})

test('no code of a switched-off remote runs, and its page loads once it is on', async () => {
  const { loader, state, load, calls } = setUp(composed(), [Page])
  loader.switchOff(new Set(['mf-x']))
  await loader.preload('/page')
  await load()
  expect(calls).toEqual([])
  loader.switchOff(new Set())
  await jest.advanceTimersByTimeAsync(0)
  expect(state().status).toBe('ready')
  expect(calls).toHaveLength(1)
})

test('a page that a member may open is prefetched, unless its remote is off', async () => {
  const asked: unknown[] = []
  globalThis.fetch = async (url, init) => {
    asked.push([url, init])
    throw new Error('offline')
  }
  const file = (name: string) => ({ url: `/mf-x/2/${name}`, integrity: `sha384-${name}` })
  const exposes = { './Page': { js: [file('Page.js')], css: [file('Page.css')] } }
  const current = release('2', { exposes })

  await setUp(composed({ status: 'off', current }), []).loader.prefetch('/page')
  const { loader, state } = setUp(composed({ current }), [Page])
  await loader.prefetch('/unknown')
  loader.switchOff(new Set(['mf-x']))
  await loader.prefetch('/page')
  expect(asked).toEqual([])

  loader.switchOff(new Set())
  await loader.prefetch('/page')
  const requested = (name: string, integrity = `sha384-${name}`) => [
    `/mf-x/2/${name}`,
    { integrity, priority: 'low' },
  ]
  expect(asked).toEqual([
    requested('entry.js', current.integrity),
    requested('Page.js'),
    requested('Page.css'),
  ])
  expect(state().status).toBe('loading')
})

test('a page that a member is about to open is loaded', async () => {
  const { loader, state, calls } = setUp(composed(), [Page])
  await loader.preload('/unknown')
  expect(calls).toEqual([])
  await loader.preload('/page')
  expect(state().status).toBe('ready')
})

test('the next visit loads a failed page again', async () => {
  const { loader, state, load, calls } = setUp(composed(), [new Error('1'), new Error('2'), Page])
  await load()
  expect(state().status).toBe('failed')
  loader.leave('mf-x', './Page')
  await load()
  expect(state()).toMatchObject({ status: 'ready', Page })
  expect(calls).toEqual(['2', '2 fresh', '2 fresh'])
})

test('a page whose preload failed is loaded again when a member opens it', async () => {
  const { loader, state, load, calls } = setUp(composed(), [new Error('1'), new Error('2'), Page])
  await loader.preload('/page')
  expect(state().status).toBe('loading')
  await load()
  expect(state()).toMatchObject({ status: 'ready', Page })
  expect(calls).toEqual(['2', '2 fresh', '2 fresh'])
})

test('the failure of a page that was left while it loaded is forgotten', async () => {
  const slow = pending<PageComponent>()
  const { loader, state, load } = setUp(composed(), [slow.promise, new Error('2')])
  const loading = load()
  loader.leave('mf-x', './Page')
  slow.reject(new Error('1'))
  await loading
  expect(state().status).toBe('loading')
})

test('a returned network loads failed pages again, and no others', async () => {
  const { loader, state, load, calls } = setUp(composed(), [new Error('1'), new Error('2'), Page])
  await load()
  loader.retryAll()
  await load()
  expect(state().status).toBe('ready')
  loader.retryAll()
  loader.leave('mf-x', './Page')
  await load()
  expect(state().status).toBe('ready')
  expect(calls).toHaveLength(3)
})

test('a page behind its HTML is retried for four seconds', async () => {
  const tries = [1, 2, 3, 4, 5].flatMap((n) => [new Error(`${n}`), new Error(`${n} fresh`)])
  const { loader, state, calls } = setUp(composed(), [...tries.slice(0, 4), Page])
  const loading = loader.loadBehindHtml('mf-x', './Page')
  await jest.advanceTimersByTimeAsync(2_000)
  await loading
  expect(state().status).toBe('ready')
  expect(calls).toHaveLength(5)

  const lost = setUp(composed(), tries)
  const card = lost.loader.loadBehindHtml('mf-x', './Page')
  await jest.advanceTimersByTimeAsync(4_000)
  await card
  expect(lost.state()).toEqual({ status: 'failed', reason: 'failed' })
})

test('a late attempt may still win after the next one started', async () => {
  const slow = pending<PageComponent>()
  const { state, load, calls } = setUp(composed(), [slow.promise, 'hang'])
  void load()
  await jest.advanceTimersByTimeAsync(3_999)
  expect(calls).toHaveLength(1)
  await jest.advanceTimersByTimeAsync(1)
  expect(calls).toHaveLength(2)
  // Rendering has what is left of the deadline, whatever the clock shows.
  jest.setSystemTime(0)
  slow.resolve(Page)
  await load()
  expect(state()).toMatchObject({ status: 'ready', timeLeft: 6_000 })
  expect(jest.getTimerCount()).toBe(0)
})

test('after ten seconds hung attempts are reported, and later aborted', async () => {
  const slow = pending<PageComponent>()
  const { state, load, failed, signals } = setUp(withPrevious, [slow.promise, 'hang', 'hang'])
  void load()
  await jest.advanceTimersByTimeAsync(9_999)
  // Reported as late already.
  slow.reject(new Error('reset'))
  expect(state().status).toBe('loading')
  expect(signals.some(({ aborted }) => aborted)).toBe(false)
  await jest.advanceTimersByTimeAsync(1)
  await load()
  expect(signals.some(({ aborted }) => aborted)).toBe(false)
  expect(failed).toEqual([
    ['2', 'deadline', 'RemoteLoadError: no answer within 4000 ms', 'retry'],
    ['2', 'deadline', 'RemoteLoadError: no answer within 4000 ms', 'other-version'],
    ['1', 'deadline', 'RemoteLoadError: no answer within 2000 ms', 'none'],
  ])
  expect(state()).toEqual({ status: 'failed', reason: 'failed' })
  await jest.advanceTimersByTimeAsync(30_000)
  expect(signals.every(({ aborted }) => aborted)).toBe(true)
})

test('before the host is ready only a failure starts a next attempt', async () => {
  const host = pending<void>()
  const { state, load, calls, failed } = setUp(composed(), [new Error('404'), 'hang'], host.promise)
  void load()
  await jest.advanceTimersByTimeAsync(30_000)
  expect(calls).toEqual(['2', '2 fresh'])
  expect(failed).toHaveLength(1)
  host.resolve()
  await jest.advanceTimersByTimeAsync(9_999)
  expect(state().status).toBe('loading')
  await jest.advanceTimersByTimeAsync(1)
  expect(state().status).toBe('failed')
})

test.each([
  ['replaces the card', false],
  ['is dropped once a retry has begun', true],
])('an answer after the deadline %s', async (_, retries) => {
  const slow = pending<PageComponent>()
  const { loader, state, load, signals } = setUp(composed(), [slow.promise, 'hang', Page])
  void load()
  await jest.advanceTimersByTimeAsync(10_000)
  await load()
  expect(state().status).toBe('failed')
  if (retries) loader.retry('mf-x', './Page')
  await load()
  slow.resolve(LatePage)
  await jest.advanceTimersByTimeAsync(0)
  expect(state()).toMatchObject({
    status: 'ready',
    Page: retries ? Page : LatePage,
    timeLeft: 10_000,
  })
  expect(signals.every(({ aborted }) => aborted)).toBe(true)
})

test("an answer after another attempt's answer changes nothing", async () => {
  const slow = pending<PageComponent>()
  const { state, load } = setUp(withPrevious, [slow.promise, new Error('404'), Page])
  void load()
  await jest.advanceTimersByTimeAsync(4_000)
  await load()
  expect(state()).toMatchObject({ status: 'ready', release: { version: '1' } })
  slow.resolve(Page)
  await jest.advanceTimersByTimeAsync(0)
  expect(state()).toMatchObject({ status: 'ready', release: { version: '1' } })
})

test('a retry after a crash tries the other release first', async () => {
  const { loader, state, load, calls, failed } = setUp(withPrevious, [Page, Page, Page])
  await load()
  loader.markFailed('mf-x', './Page', 'render', new Error('in render'))
  loader.markFailed('mf-x', './Page', 'render', new Error('again, with nothing shown'))
  expect(state()).toEqual({ status: 'failed', reason: 'crashed' })
  expect(failed).toEqual([['2', 'render', 'Error: in render', 'none']])
  loader.retry('mf-x', './Page')
  await load()
  expect(state()).toMatchObject({ status: 'ready', release: { version: '1' } })
  loader.markFailed('mf-x', './Page', 'deadline', new Error('late'))
  expect(state()).toEqual({ status: 'failed', reason: 'failed' })
  expect(failed.at(-1)).toEqual(['1', 'deadline', 'Error: late', 'none'])
  loader.retry('mf-x', './Page')
  await load()
  expect(state()).toMatchObject({ status: 'ready', release: { version: '2' } })
  expect(calls).toEqual(['2', '1 fresh', '2 fresh'])
})
