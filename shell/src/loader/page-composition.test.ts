import type { PageComposition, Release } from '@anniversary/shared/contract/composition'
import { pageComposition } from './page-composition.ts'

const files = { js: [], css: [] }
const release = (version: string, ...exposes: string[]): Release => ({
  version,
  entry: `/mf-x/${version}/entry.js`,
  integrity: 'sha384-x',
  container: 'mf_x',
  contract: '1.0',
  exposes: Object.fromEntries(exposes.map((expose) => [expose, files])),
})
const base = { number: 7, createdAt: '', shell: { version: '1', contract: '1.0' } }
const page: PageComposition = {
  ...base,
  remotes: { 'mf-x': { status: 'on', current: release('1', './Own') } },
  whole: { url: '/composition/abc.json', integrity: 'sha384-w' },
}
const whole = {
  ...base,
  remotes: {
    'mf-x': { status: 'on', current: release('1', './Own', './Other') },
    'mf-y': { status: 'on', current: release('2', './Page') },
  },
}

/** `fetch` with these answers in order; `hang` never answers. */
function setUp(...answers: (object | Error | 'hang')[]) {
  const asked: [url: string, cache: RequestCache | undefined][] = []
  globalThis.fetch = async (url, init) => {
    asked.push([String(url), init?.cache])
    expect(init?.integrity).toBe('sha384-w')
    const answer = answers.shift()
    if (answer === 'hang') await new Promise(() => undefined)
    if (answer instanceof Error || !answer) throw answer
    return { ok: true, json: async () => answer } as Response
  }
  const failures: string[] = []
  const known = pageComposition(page, (error) => failures.push(String(error)))
  const version = async (remote: string, expose: string) =>
    (await known.find(remote, expose))?.current.version
  return { known, version, asked, failures }
}

const original = globalThis.fetch
afterEach(() => {
  globalThis.fetch = original
  jest.useRealTimers()
})

test('what the page carries is there without a request', async () => {
  const { version, asked } = setUp()
  expect(await version('mf-x', './Own')).toBe('1')
  expect(asked).toEqual([])
})

test('another remote, or another page of the same one, comes from the whole composition, which is fetched once', async () => {
  const { known, version, asked } = setUp(whole)
  expect(await Promise.all([version('mf-y', './Page'), version('mf-x', './Other')])).toEqual(['2', '1'])
  expect(await version('mf-unknown', './Page')).toBeUndefined()
  expect(asked).toEqual([['/composition/abc.json', undefined]])
  expect(known.now()).toEqual(whole)
})

test('a damaged file is reported and fetched again, past the cache', async () => {
  const { version, asked, failures } = setUp(new TypeError('integrity'), whole)
  expect(await version('mf-y', './Page')).toBe('2')
  expect(failures).toEqual(['TypeError: integrity'])
  expect(asked[1]).toEqual(['/composition/abc.json?r=2', 'reload'])
})

test('after two failures the next page that needs it tries again', async () => {
  const { version } = setUp(new Error('1'), new Error('2'), whole)
  await expect(version('mf-y', './Page')).rejects.toThrow('2')
  expect(await version('mf-y', './Page')).toBe('2')
})

test('a request that hangs is hedged', async () => {
  jest.useFakeTimers()
  const { version, asked } = setUp('hang', whole)
  const found = version('mf-y', './Page')
  await jest.advanceTimersByTimeAsync(4_000)
  expect(await found).toBe('2')
  expect(asked).toHaveLength(2)
})

test('a page that carries all of it asks for nothing', async () => {
  const { whole: _, ...carried } = page
  const known = pageComposition(carried, () => undefined)
  expect(await known.find('mf-y', './Page')).toBeUndefined()
})
