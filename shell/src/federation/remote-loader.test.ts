import type { ComposedRemote, Release } from '@anniversary/shared/contract/composition'
import { type Attempt, createRemoteLoader, type PageComponent } from './remote-loader.ts'

const release = (version: string): Release => ({
  version,
  entry: `/mf-x/${version}/entry.js`,
  integrity: 'sha384-x',
  container: 'mf_x',
  contract: '1.0',
  exposes: {},
})
const composed = (more: Partial<ComposedRemote> = {}): ComposedRemote => ({
  status: 'on',
  current: release('2'),
  ...more,
})
const Page: PageComponent = () => null

/** A loader over a script of answers: one a call, in order. `'hang'` never answers. */
function setUp(remote: ComposedRemote, answers: (PageComponent | Error | 'hang' | Promise<PageComponent>)[]) {
  const calls: [version: string, fresh: boolean][] = []
  const failed: Attempt[] = []
  const loader = createRemoteLoader({
    remotes: { 'mf-x': remote },
    onFailedAttempt: (attempt) => failed.push(attempt),
    loadExpose({ version }, _expose, fresh) {
      calls.push([version, fresh])
      const answer = answers.shift()
      if (answer === undefined) throw new Error('asked more often than expected')
      if (answer === 'hang') return new Promise(() => undefined)
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    },
  })
  const state = () => loader.state('mf-x', './Page')
  return { loader, state, calls, failed, settled: () => loader.settled('mf-x', './Page') }
}

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

test('a page is loaded once, however often it is asked for', async () => {
  const { state, settled, calls } = setUp(composed(), [Page])
  expect(state().status).toBe('loading')
  expect(state()).toBe(state())
  await settled()
  expect(state()).toMatchObject({ status: 'ready', Page, release: { version: '2' } })
  expect(calls).toEqual([['2', false]])
})

test('a failed attempt is followed by a fresh one, then by the previous good version; each failure is told', async () => {
  const { state, settled, calls, failed } = setUp(composed({ previous: release('1') }), [
    new Error('404'),
    new Error('corrupt'),
    Page,
  ])
  state()
  await settled()
  expect(state()).toMatchObject({ status: 'ready', release: { version: '1' } })
  expect(calls).toEqual([
    ['2', false],
    ['2', true],
    ['1', false],
  ])
  expect(failed.map(({ version, error }) => [version, String(error)])).toEqual([
    ['2', 'Error: 404'],
    ['2', 'Error: corrupt'],
  ])
})

test('when all fail the page has failed, until a retry loads it with fresh requests', async () => {
  const { loader, state, settled, calls } = setUp(composed(), [new Error('1'), new Error('2'), Page])
  let told = 0
  loader.subscribe(() => {
    told += 1
  })
  state()
  await settled()
  expect(state()).toMatchObject({ status: 'failed', failure: { reason: 'failed' } })
  expect(told).toBe(1)
  loader.retry('mf-x', './Page')
  expect(state().status).toBe('loading')
  await settled()
  expect(state().status).toBe('ready')
  expect(calls.at(-1)).toEqual(['2', true])
  loader.retry('mf-x', './Page')
  expect(state().status).toBe('ready')
})

test('a hung attempt is joined by the next, and a slow answer still wins', async () => {
  let arrive: (page: PageComponent) => void = () => undefined
  const slow = new Promise<PageComponent>((resolve) => {
    arrive = resolve
  })
  const { state, settled, calls } = setUp(composed(), [slow, 'hang'])
  state()
  await jest.advanceTimersByTimeAsync(3_999)
  expect(calls).toHaveLength(1)
  await jest.advanceTimersByTimeAsync(1)
  expect(calls).toHaveLength(2)
  arrive(Page)
  await settled()
  expect(state().status).toBe('ready')
})

test('nothing within ten seconds is a failure', async () => {
  const { state, settled } = setUp(composed({ previous: release('1') }), ['hang', 'hang', 'hang'])
  state()
  await jest.advanceTimersByTimeAsync(9_999)
  expect(state().status).toBe('loading')
  await jest.advanceTimersByTimeAsync(1)
  await settled()
  expect(state()).toMatchObject({ status: 'failed', failure: { reason: 'failed' } })
})

test('a remote that is switched off is not asked for', async () => {
  const { state, settled, calls, failed } = setUp(composed({ status: 'off' }), [])
  state()
  await settled()
  expect(state()).toEqual({ status: 'failed', failure: { reason: 'off' } })
  expect([calls, failed]).toEqual([[], []])
})

test('a remote that the composition lacks has failed', async () => {
  const { loader } = setUp(composed(), [])
  loader.state('mf-y', './Page')
  await loader.settled('mf-y', './Page')
  expect(loader.state('mf-y', './Page').status).toBe('failed')
})
