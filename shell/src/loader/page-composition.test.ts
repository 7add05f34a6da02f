import { fakeComposition, fakeRelease } from '@anniversary/shared/testing/fake-release'
import { pageComposition } from './page-composition.ts'

const release = (version: string, ...paths: string[]) =>
  fakeRelease(version, {
    routes: Object.fromEntries(paths.map((path) => [path, { title: path, expose: `.${path}` }])),
  })
const page = fakeComposition({
  remotes: { 'mf-x': { status: 'on', current: release('1', '/own') } },
  whole: { url: '/composition/abc.json', integrity: 'sha384-w' },
})
const whole = fakeComposition({
  remotes: {
    'mf-x': { status: 'on', current: release('1', '/own', '/other') },
    'mf-y': { status: 'on', current: release('2', '/page') },
  },
})

/** `fetch` with these answers in order. */
function setUp(...answers: (object | Error)[]) {
  const asked: [url: string, cache: RequestCache | undefined][] = []
  globalThis.fetch = async (url, init) => {
    asked.push([String(url), init?.cache])
    expect(init?.integrity).toBe('sha384-w')
    const answer = answers.shift()
    if (answer instanceof Error || !answer) throw answer
    return new Response(JSON.stringify(answer))
  }
  const failures: string[] = []
  const known = pageComposition(page, (error) => failures.push(String(error)))
  const paths = () => Object.keys(known.routes.now()).sort()
  return { known, paths, asked, failures }
}

test('routes that the page lacks come from one request', async () => {
  const { known, paths, asked } = setUp(whole)
  expect(known.remotes()['mf-x']?.current.version).toBe('1')
  expect(paths()).toEqual(['/', '/own'])
  expect(asked).toEqual([])
  const told = jest.fn()
  const stop = known.routes.subscribe(told)
  await Promise.all([known.routes.load(), known.routes.load()])
  stop()
  expect(paths()).toEqual(['/', '/other', '/own', '/page'])
  expect(known.routes.now()).toBe(known.routes.now())
  expect(known.remotes()['mf-y']?.current.version).toBe('2')
  expect(told).toHaveBeenCalledTimes(1)
  expect(asked).toEqual([['/composition/abc.json', 'default']])
})

test('a damaged composition is reported and fetched past the cache', async () => {
  const { known, paths, asked, failures } = setUp(new TypeError('integrity'), whole)
  await known.routes.load()
  expect(paths()).toContain('/page')
  expect(failures).toEqual(['TypeError: integrity'])
  expect(asked[1]).toEqual([expect.stringContaining('/composition/abc.json?r='), 'reload'])
})

test('a page with the whole composition sends no request', async () => {
  const { whole: _, ...carried } = page
  const { routes } = pageComposition(carried, () => undefined)
  await routes.load()
  expect(routes.status()).toBe('all')
})
