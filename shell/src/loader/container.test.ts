import type { Release } from '@anniversary/shared/contract/composition'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { fakeRelease } from '@anniversary/shared/testing/fake-release'
import { exposeLoader } from './container.ts'
import { freshFileQuery } from './load-file.ts'

const Page = () => null
function broken(): never {
  throw new Error('broken')
}
const scope = { react: {} }
const file = (url: string) => ({ url, integrity: 'sha384-x' })

/** What a file does when it has arrived; absent files fail. */
let files: Map<string, () => void>
let requested: string[]
let count = 0

beforeEach(() => {
  files = new Map()
  requested = []
  globalThis.fetch = async () => new Response('', { status: 404 })
  jest.spyOn(document.head, 'append').mockImplementation((element) => {
    const { src, href } = element as unknown as { src?: string; href: string } // a script or a link
    const { pathname, search } = new URL(src ?? href)
    requested.push(pathname.slice(1) + search.replace(/=.*/, ''))
    queueMicrotask(() => {
      const run = files.get(pathname)
      run?.()
      ;(element as HTMLElement).dispatchEvent(new Event(run ? 'load' : 'error'))
    })
  })
})

/** A release whose files are there. */
function published(factory: unknown = () => ({ default: Page }), contract = HOST_CONTRACT) {
  const name = `mf-x${++count}`
  const container = { init: jest.fn(), get: jest.fn(async () => factory as () => unknown) }
  const release: Release = {
    ...fakeRelease('1'),
    contract,
    container: name,
    ...file(`/${name}/entry.js`),
    entry: `/${name}/entry.js`,
    exposes: { './Page': { js: [file(`/${name}/Page.js`)], css: [file(`/${name}/Page.css`)] } },
  }
  files.set(release.entry, () => Object.assign(globalThis, { [name]: container }))
  for (const path of ['Page.js', 'Page.css']) files.set(`/${name}/${path}`, () => undefined)
  return { name, release, container }
}

/** Retries fetch a script before they run it. */
function answerFetches(): void {
  const headers = { 'content-type': 'text/javascript' }
  globalThis.fetch = async () => new Response('', { headers })
}

const loader = (shareScope = Promise.resolve(scope)) => exposeLoader(shareScope)
const request = (query = '') => ({ query, signal: new AbortController().signal })
const of = (name: string, ...paths: string[]) => paths.map((path) => `${name}/${path}`)

test('an expose is loaded with all its files, and its container gets the share scope', async () => {
  const { name, release, container } = published()
  expect(await loader()(release, './Page', request())).toBe(Page)
  expect(container.init.mock.calls).toEqual([[scope]])
  expect(container.get.mock.calls).toEqual([['./Page']])
  expect(requested).toEqual(of(name, 'entry.js', 'Page.js', 'Page.css'))
})

test('files are requested before the share scope is there', async () => {
  const { name, release, container } = published()
  let offer = (_: typeof scope) => {}
  const loading = loader(new Promise((resolve) => (offer = resolve)))(release, './Page', request())
  await new Promise((later) => setTimeout(later))
  expect(requested).toEqual(of(name, 'entry.js', 'Page.js', 'Page.css'))
  expect(container.init).not.toHaveBeenCalled()
  offer(scope)
  expect(await loading).toBe(Page)
})

test('two exposes of a release share its container', async () => {
  const { name, release, container } = published()
  release.exposes['./Other'] = { js: [], css: [] }
  const load = loader()
  await Promise.all([load(release, './Page', request()), load(release, './Other', request())])
  await load(release, './Page', request())
  expect(container.init).toHaveBeenCalledTimes(1)
  expect(requested).toEqual(of(name, 'entry.js', 'Page.js', 'Page.css'))
})

test('a second attempt runs the entry again, and fetches one file after the other', async () => {
  const { name, release, container } = published()
  const load = loader()
  files.delete(`/${name}/Page.js`)
  await expect(load(release, './Page', request())).rejects.toMatchObject({ phase: 'chunk' })
  const ofBoth = requested.length
  files.set(`/${name}/Page.js`, () => undefined)
  answerFetches()
  const again = load(release, './Page', request(freshFileQuery()))
  expect(await again).toBe(Page)
  expect(container.init).toHaveBeenCalledTimes(2)
  expect(requested.slice(ofBoth)).toEqual(of(name, 'entry.js', 'Page.js?r'))
  // Later pages use the newest container.
  await load(release, './Page', request())
  expect(container.init).toHaveBeenCalledTimes(2)
})

test('a container that did not load is asked for again', async () => {
  const { name, release } = published()
  const run = files.get(release.entry) ?? broken
  files.delete(release.entry)
  const load = loader()
  await expect(load(release, './Page', request())).rejects.toMatchObject({ phase: 'entry' })
  files.set(release.entry, run)
  expect(await load(release, './Page', request())).toBe(Page)
  expect(requested.filter((path) => path === `${name}/entry.js`)).toHaveLength(2)
})

test.each<[what: string, phase: string, message: RegExp, factory: unknown]>([
  ['that throws', 'expose', /\.\/Page: broken/, () => broken()],
  ['that throws a text', 'expose', /\.\/Page: broken/, () => Promise.reject('broken')],
  ['without a default export', 'contract', /has no component/, () => ({})],
  ['that is nothing', 'contract', /has no component/, () => undefined],
  ['whose default export is null', 'contract', /has no component/, () => ({ default: null })],
  ['whose default export is a text', 'contract', /has no component/, () => ({ default: 'x' })],
  ['whose default export is an object', 'contract', /has no component/, () => ({ default: {} })],
])('an expose %s is refused', async (_, phase, message, factory) => {
  const { release } = published(factory)
  const loading = loader()(release, './Page', request())
  await expect(loading).rejects.toMatchObject({ phase, message: expect.stringMatching(message) })
})

test('a component that React wraps is a page', async () => {
  const wrapped = { $$typeof: Symbol.for('react.memo') }
  const { release } = published(async () => ({ default: wrapped }))
  expect(await loader()(release, './Page', request())).toBe(wrapped)
})

test('a release for another contract is refused, and nothing is requested', async () => {
  const { release } = published(undefined, '2.0')
  await expect(loader()(release, './Page', request())).rejects.toMatchObject({
    phase: 'contract',
    message: `built for contract 2.0, offered is ${HOST_CONTRACT}`,
  })
  expect(requested).toEqual([])
})

test('an expose that the composition does not name is refused', async () => {
  const { release } = published()
  await expect(loader()(release, './Other', request())).rejects.toMatchObject({
    phase: 'expose',
    message: './Other is not in the composition',
  })
})

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'init get'],
  ['half a container', { init: () => undefined }],
  ['the other half', { get: () => undefined }],
])('an entry that defines %s is refused, also after one that worked', async (_, defined) => {
  const { name, release } = published()
  const load = loader()
  await load(release, './Page', request())
  files.set(release.entry, () => defined && Object.assign(globalThis, { [name]: defined }))
  answerFetches()
  await expect(load(release, './Page', request(freshFileQuery()))).rejects.toMatchObject({
    phase: 'entry',
    message: `ran but defined no container: ${release.entry}`,
  })
})
