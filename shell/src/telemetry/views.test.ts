import { visitSchema } from '@anniversary/shared/contract/report'
import type { SiteRoutes } from '@anniversary/shared/contract/routes'
import { fakeRelease } from '@anniversary/shared/testing/fake-release'
import type { Progress } from '../loader/remote-loader.ts'
import { collectViews } from './views.ts'

const release = (version: string) =>
  fakeRelease(version, {
    exposes: {
      './Page': {
        js: [{ url: `/mf-x/${version}/Page.js`, integrity: '' }],
        css: [{ url: `/mf-x/${version}/Page.css`, integrity: '' }],
      },
    },
  })
const Page = () => null
const ready = (version: string): Progress['state'] => ({
  status: 'ready',
  Page,
  release: release(version),
  timeLeft: 0,
})
const ROUTES: SiteRoutes = {
  '/': { title: '' },
  '/x': { title: '', remote: { name: 'mf-x', expose: './Page' } },
  '/y': { title: '', remote: { name: 'mf-y', expose: './Page' } },
}

function setUp() {
  const progress: Record<string, Progress> = {}
  const arrived: Record<string, number> = {}
  const views = collectViews({
    shellVersion: 's',
    routeAt: (path) => ROUTES[path],
    release: () => release('2'),
    progress: (remote) => progress[remote],
    arrivedAt: (url) => arrived[url],
  })
  const see = (path: string, startTime: number) => views.mark({ name: 'view', startTime, detail: path })
  const works = (remote: string, startTime: number) =>
    views.mark({ name: `remote:${remote}:shown`, startTime, detail: '2' })
  return { views, progress, arrived, see, works, all: () => views.take().flat() }
}

test('the first view counts from the navigation, with the parts of its load', () => {
  const { progress, arrived, see, works, all } = setUp()
  progress['mf-x'] = { asked: 100, ready: 700, attempts: 2, state: ready('2') }
  Object.assign(arrived, { '/mf-x/2/entry.js': 400, '/mf-x/2/Page.js': 600, '/mf-x/2/Page.css': 300 })
  see('/x', 650)
  works('mf-x', 750)
  expect(all()).toEqual([
    {
      remote: 'mf-x',
      version: '2',
      route: '/x',
      measures: { page: 750, entry: 400, files: 600, evaluation: 100, render: 50, attempts: 2 },
    },
  ])
})

test('a later view counts from when its route rendered; one whose page was loaded before has no load', () => {
  const { progress, see, works, all } = setUp()
  see('/', 500)
  progress['mf-x'] = { asked: 4990, ready: 5200, attempts: 1, state: ready('2') }
  see('/x', 5000)
  works('mf-x', 5210)
  see('/', 6000)
  see('/x', 7000)
  works('mf-x', 7030)
  expect(all()).toMatchObject([
    { remote: 'shell', version: 's', route: '/' },
    { measures: { page: 220, evaluation: 210, render: 10, attempts: 1 } },
    { remote: 'shell' },
    { measures: { page: 30 } },
  ])
})

test('each view has its own vitals: its last paint, its longest answer, its worst moves', () => {
  const { views, see, works, all } = setUp()
  see('/x', 500)
  works('mf-x', 600)
  views.painted(550)
  views.painted(900)
  views.answered(1500, 80)
  views.answered(1600, 40)
  for (const time of [700, 1600, 2500]) views.shifted(time, 0.01)
  views.shifted(4000, 0.02)
  see('/', 4500)
  views.answered(4400, 300)
  views.answered(4600, 24)
  views.shifted(4700, 0.01)
  for (let time = 10_000; time < 18_000; time += 500) views.shifted(time, 0.01)
  expect(all()).toMatchObject([
    { measures: { lcp: 900, inp: 300, cls: 30, page: 600 } },
    // No row of moves is longer than five seconds.
    { measures: { inp: 24, cls: expect.closeTo(100) } },
  ])
})

test('a view fails for the release that was meant, also where the one before it took its place', () => {
  const { views, progress, see, works, all } = setUp()
  progress['mf-x'] = { asked: 1, attempts: 3, state: { status: 'failed', reason: 'failed' } }
  see('/x', 10)
  views.check()
  progress['mf-y'] = { asked: 20, ready: 90, attempts: 3, state: ready('1') }
  see('/y', 30)
  works('mf-y', 100)
  views.check()
  expect(all()).toEqual([
    { remote: 'mf-x', version: '2', route: '/x', failed: true, measures: {} },
    { remote: 'mf-y', version: '2', route: '/y', failed: true, measures: {} },
  ])
})

test('a page that crashed or is switched off has not failed to load', () => {
  const { views, progress, see, works, all } = setUp()
  see('/x', 1)
  works('mf-x', 2)
  for (const reason of ['crashed', 'off'] as const) {
    progress['mf-x'] = { asked: 0, attempts: 1, state: { status: 'failed', reason } }
    views.check()
  }
  views.threw({ name: 'mf-x', version: '1' })
  expect(all()[0]?.failed).toBeUndefined()
})

test('only the release of the view that shows is blamed', () => {
  const { views, see, works, all } = setUp()
  see('/x', 1)
  works('mf-x', 2)
  views.threw({ name: 'mf-x', version: '1' })
  views.threw({ name: 'mf-y', version: '2' })
  see('/x', 3)
  works('mf-x', 4)
  views.threw({ name: 'mf-x', version: '2' })
  expect(all().map(({ threw }) => threw)).toEqual([undefined, true])
})

test('each view is taken once, in beacons that the API takes; one that showed nothing is none', () => {
  const { views, see, works } = setUp()
  for (let n = 0; n < 12; n++) {
    see('/x', 10 * n)
    works('mf-x', 10 * n + 5)
  }
  see('/nowhere', 200)
  see('/y', 201)
  const taken = views.take()
  expect(taken.map((some) => some.length)).toEqual([10, 2])
  for (const some of taken)
    visitSchema.parse({ 'event.name': 'page.visit', 'composition.number': 1, views: some })
  expect(JSON.stringify(taken[0]).length).toBeLessThan(4096)
  expect(views.take()).toEqual([])
  see('/', 300)
  expect(views.take()).toHaveLength(1)
})
