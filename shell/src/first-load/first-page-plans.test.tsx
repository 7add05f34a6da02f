import type { Session } from '@anniversary/shared/contract/host'
import { PRERENDERED } from '@anniversary/shared/contract/prerendered'
import { expectConsoleError } from '@anniversary/shared/testing/console-errors'
import { act } from '@testing-library/react'
import { loadLanding } from '../landing/load-landing.ts'
import type { Loader } from '../loader/loader.ts'
import { sessionStore } from '../session/session-store.ts'
import { startFirstPage } from './first-page.tsx'

jest.mock('../App.tsx', () => ({ App: () => <p>app</p> }))
jest.mock('../landing/load-landing.ts', () => ({ loadLanding: jest.fn() }))

const ENTRY = '/mf-a/2/entry.js'
const never = new Promise<never>(() => undefined)
const load = jest.fn(async (_what: string): Promise<void> => undefined)
const send = jest.fn()
let root: HTMLElement
let html: Element | null
let status: string

/** @param renderedBy of the HTML; without it, a skeleton shows */
async function start(path: string, renderedBy?: string, text = 'app') {
  history.replaceState(null, '', path)
  root = document.createElement('div')
  root.id = 'root'
  if (renderedBy !== undefined) root.setAttribute(PRERENDERED, renderedBy)
  root.innerHTML = `<p>${text}</p>`
  html = root.firstElementChild
  document.body.replaceChildren(root)
  const remote = { name: 'mf-a', expose: './Page' }
  const routes = { '/': {}, '/login': { remote }, '/home': { remote, protected: true } }
  const loader = {
    composition: { shell: '1', routes: { now: () => routes, load: () => load('routes') } },
    pages: {
      load: (...of: string[]) => load(`page ${of}`),
      loadBehindHtml: (...of: string[]) => load(`behind ${of}`),
      state: () => ({ status, release: { entry: ENTRY, version: '2' } }),
    },
    reports: { send },
  } as unknown as Loader
  void startFirstPage(loader, root)
  await pass(0)
}
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
const hasReplaced = () => root.firstElementChild !== html

beforeEach(() => {
  jest.useFakeTimers()
  jest.clearAllMocks()
  status = 'ready'
  window.scrollTo = () => undefined
  jest.mocked(loadLanding).mockImplementation(() => load('landing'))
})

test.each([
  ['an unknown path loads the other routes', '/nowhere', undefined, ['routes']],
  ['a protected page without a session loads nothing', '/home', undefined, []],
  ["the host's page loads its own code", '/', undefined, ['landing']],
  ['a page behind a skeleton loads', '/login', undefined, ['page mf-a,./Page']],
  ['a page behind its HTML loads', '/login', ENTRY, ['behind mf-a,./Page']],
])('%s', async (_, path, renderedBy, loaded) => {
  await start(path, renderedBy, renderedBy ? 'app' : 'before')
  expect(load.mock.calls.flat()).toEqual(loaded)
  expect(root).toHaveTextContent('app')
})

test.each(['/nowhere', '/login'])('%s replaces a skeleton after a second', async (path) => {
  load.mockReturnValueOnce(never)
  await start(path)
  await pass(999)
  expect(hasReplaced()).toBe(false)
  await pass(1)
  expect(hasReplaced()).toBe(true)
})

test("a page's HTML stays until its code has loaded", async () => {
  load.mockReturnValueOnce(never)
  await start('/login', ENTRY)
  await pass(60_000)
  expect(hasReplaced()).toBe(false)
  expect(root).toHaveAttribute(PRERENDERED)
})

test.each([
  ['the same release keeps its HTML until its page has rendered', ENTRY, 'ready', false],
  ['another release replaces the HTML', '/mf-a/1/entry.js', 'ready', true],
  ['a failed load replaces the HTML', ENTRY, 'failed', true],
])('%s', async (_, renderedBy, now, isReplaced) => {
  status = now
  await start('/login', renderedBy)
  expect(hasReplaced()).toBe(isReplaced)
  expect(root.hasAttribute(PRERENDERED)).toBe(!isReplaced)
})

test('a protected page with a session loads', async () => {
  sessionStore.setState({ session: { token: 'x' } as Session })
  await start('/home')
  expect(load).toHaveBeenCalledWith('page mf-a,./Page')
  sessionStore.setState({ session: null })
})

test.each([
  ['/login', ENTRY, { name: 'mf-a', version: '2' }],
  ['/', '', { name: 'shell', version: '1' }],
])(
  'HTML of %s that the app does not render is reported for its release',
  async (path, by, owner) => {
    expectConsoleError(/did not hydrate/)
    await start(path, by, 'other')
    expect(send).toHaveBeenCalledWith(expect.objectContaining({ owner, phase: 'hydration' }))
  },
)

test('a landing page that fails to load is tried again', async () => {
  jest.mocked(loadLanding).mockRejectedValueOnce(new Error('offline'))
  await start('/', '')
  expect(root).toHaveAttribute(PRERENDERED)
  await pass(60_000)
  expect(root).not.toHaveAttribute(PRERENDERED)
  expect(hasReplaced()).toBe(false)
})
