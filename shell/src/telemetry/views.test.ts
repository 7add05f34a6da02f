import { MAX_VIEWS, visitSchema } from '@anniversary/shared/contract/report'
import type { SiteRoutes } from '@anniversary/shared/contract/routes'
import { fakeRelease } from '@anniversary/shared/testing/fake-release'
import type { Loader } from '../loader/loader.ts'
import type { PageState } from '../loader/remote-loader.ts'
import { collectViews, type ViewEntry } from './views.ts'

const Page = () => null
const failed = (reason: 'failed' | 'crashed' | 'off'): PageState => ({ status: 'failed', reason })
const ROUTES: SiteRoutes = {
  '/': { title: '' },
  '/x': { title: '', remote: { name: 'mf-x', expose: './Page' } },
  '/y': { title: '', remote: { name: 'mf-y', expose: './Page' } },
}

const entry = (entryType: string, startTime: number, more: Partial<ViewEntry> = {}): ViewEntry => ({
  entryType,
  startTime,
  name: '',
  duration: 0,
  ...more,
})
const painted = (time: number) => entry('largest-contentful-paint', time)
const answered = (time: number, duration: number, interactionId = 1) =>
  entry('event', time, { duration, interactionId })
const begun = (path: string, time: number) => entry('mark', time, { name: 'view', detail: path })
const worked = (remote: string, time: number) =>
  entry('mark', time, { name: `remote:${remote}:shown` })

function setUp(activated = 0) {
  const states: Record<string, PageState> = {}
  // The parts of a loader that views use.
  const loader = {
    composition: { shell: 's', routes: { now: () => ROUTES }, release: () => fakeRelease('2') },
    pages: { state: (remote: string) => states[remote] ?? { status: 'loading' } },
  } as unknown as Loader
  const views = collectViews(loader, activated)
  const see = (path: string, time: number) =>
    views.observe([begun(path, time), worked(`mf-${path.slice(1)}`, time + 5)])
  return { views, states, see }
}

test("each view's lateness counts from its own start", () => {
  const { views } = setUp()
  // Painted before the app begins its view.
  views.observe([painted(2400), painted(2501), begun('/x', 3000), worked('mf-x', 3010)])
  views.observe([answered(3500, 200), begun('/', 4000), painted(6400), answered(4100, 208)])
  // No member pressed anything.
  views.observe([begun('/x', 9000), worked('mf-x', 9010), painted(11_501), answered(9100, 900, 0)])
  expect(views.take()).toEqual([
    { remote: 'mf-x', version: '2', paintedLate: true },
    { remote: 'shell', version: 's', answeredLate: true },
    { remote: 'mf-x', version: '2', paintedLate: true },
  ])
})

test("a prerendered page's paint counts from when it is shown", () => {
  const { views } = setUp(8000)
  views.observe([painted(9000), begun('/x', 8100), worked('mf-x', 8110)])
  expect(views.take()).toEqual([{ remote: 'mf-x', version: '2' }])
})

test('a view fails for the release that was intended', () => {
  const { views, states, see } = setUp()
  states['mf-x'] = failed('failed')
  views.observe([begun('/x', 10), painted(9000)])
  views.check()
  states['mf-y'] = { status: 'ready', Page, release: fakeRelease('1'), timeLeft: 0 }
  see('/y', 9500)
  views.check()
  expect(views.take()).toEqual([
    { remote: 'mf-x', version: '2', failed: true },
    { remote: 'mf-y', version: '2', failed: true },
  ])
})

test('a crashed or switched-off page has not failed to load', () => {
  const { views, states, see } = setUp()
  see('/x', 1)
  for (const reason of ['crashed', 'off'] as const) {
    states['mf-x'] = failed(reason)
    views.check()
  }
  expect(views.take()).toEqual([{ remote: 'mf-x', version: '2' }])
})

test('an error counts only for the release that shows', () => {
  const { views, see } = setUp()
  see('/x', 1)
  views.threw({ name: 'mf-x', version: '1' })
  views.threw({ name: 'mf-y', version: '2' })
  see('/x', 10)
  views.threw({ name: 'mf-x', version: '2' })
  expect(views.take().map(({ threw }) => threw)).toEqual([undefined, true])
})

test('a second visit of a page counts as a view of its own', () => {
  const { views, states, see } = setUp()
  views.observe([begun('/x', 10)])
  expect(views.take()).toEqual([])
  states['mf-x'] = failed('failed')
  views.check()
  expect(views.take()).toMatchObject([{ failed: true }])
  views.check()
  expect(views.take()).toEqual([])
  see('/y', 100)
  expect(views.take()).toEqual([{ remote: 'mf-y', version: '2' }])
  views.observe([answered(9000, 300)])
  views.threw({ name: 'mf-y', version: '2' })
  expect(views.take()).toEqual([{ remote: 'mf-y', version: '2', answeredLate: true, threw: true }])
  views.threw({ name: 'mf-y', version: '2' })
  expect(views.take()).toEqual([])
})

test('each view that showed is taken once, up to the limit', () => {
  const { views, see } = setUp()
  for (let n = 0; n < MAX_VIEWS; n++) see('/x', 10 * n)
  views.observe([begun('/nowhere', 500), begun('/y', 501)])
  see('/x', 600)
  const taken = views.take()
  visitSchema.parse({ 'event.name': 'page.visit', 'composition.number': 1, views: taken })
  expect(taken).toHaveLength(MAX_VIEWS)
  expect(views.take()).toEqual([])
  see('/x', 700)
  expect(views.take()).toHaveLength(1)
})
