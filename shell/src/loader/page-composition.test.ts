import { fakeComposition, fakeRelease } from '@anniversary/shared/testing/fake-release'
import { pending } from '@anniversary/shared/testing/pending'
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
function setUp(...answers: (object | Error | Promise<Response>)[]) {
  const asked: [url: string, cache: RequestCache | undefined][] = []
  globalThis.fetch = async (url, init) => {
    asked.push([String(url), init?.cache])
    expect(init?.integrity).toBe('sha384-w')
    const answer = answers.shift()
    if (answer instanceof Error || !answer) throw answer
    if (!(answer instanceof Promise)) return new Response(JSON.stringify(answer))
    return await new Promise((resolve, reject) => {
      init?.signal?.addEventListener('abort', reject)
      void answer.then(resolve)
    })
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

test('routes that could not be loaded are loaded by a retry', async () => {
  const missing = Promise.resolve(new Response('', { status: 404 }))
  const { known, paths, asked, failures } = setUp(missing, new TypeError('offline'), whole)
  const told: string[] = []
  known.routes.subscribe(() => told.push(known.routes.status()))
  known.routes.retry()
  expect([known.routes.status(), asked]).toEqual(['some', []])
  await known.routes.load()
  expect(failures).toEqual(['Error: HTTP 404: /composition/abc.json', 'TypeError: offline'])
  expect(paths()).toEqual(['/', '/own'])

  known.routes.retry()
  expect(asked).toHaveLength(3)
  await known.routes.load()
  expect(paths()).toContain('/page')
  expect(told).toEqual(['failed', 'some', 'all'])
  await known.routes.load()
  expect(asked).toHaveLength(3)
})

test('routes that come after the deadline count', async () => {
  jest.useFakeTimers()
  const late = pending<Response>()
  const hung = [1, 2, 3].map(() => pending<Response>().promise)
  const { known, paths } = setUp(late.promise, ...hung)
  const loading = known.routes.load()
  await jest.advanceTimersByTimeAsync(10_000)
  await loading
  expect(known.routes.status()).toBe('failed')
  known.routes.retry()
  late.resolve(new Response(JSON.stringify(whole)))
  await jest.advanceTimersByTimeAsync(0)
  expect(known.routes.status()).toBe('all')
  // The retry fails.
  await jest.advanceTimersByTimeAsync(10_000)
  expect(known.routes.status()).toBe('all')
  expect(paths()).toContain('/page')
})

test("a path's place is known once all routes are", async () => {
  const { known, asked } = setUp(whole)
  for (const other of ['mailto:an@example.com', 'page'])
    expect(await known.placeOf(other)).toBeUndefined()
  expect(asked).toEqual([])
  expect(await known.placeOf('/page')).toEqual({ name: 'mf-y', expose: './page' })
  expect(await known.placeOf('/')).toBeUndefined()
  expect(await known.placeOf('/nowhere')).toBeUndefined()
  expect(known.release('mf-y')?.version).toBe('2')
  expect(known.release('mf-z')).toBeUndefined()
})

test('a page with the whole composition sends no request', async () => {
  const { whole: _, ...carried } = page
  const { routes } = pageComposition(carried, () => undefined)
  await routes.load()
  expect(routes.status()).toBe('all')
})
