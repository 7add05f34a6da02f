import { FILE_LOADER, type FileLoader } from '@anniversary/shared/contract/file-loader'
import { loadFile, noteArrivedFile, offerFileLoader } from './load-file.ts'
import type { RemoteLoadError } from './retry.ts'

const failed: string[] = []
offerFileLoader((error, url) => failed.push(`${error} ${url}`))
const { [FILE_LOADER]: loadChunk } = globalThis as never as { [FILE_LOADER]: FileLoader }

/** Another one in each test: what has arrived is not requested again. */
let url: string
let chunks = 0
/** What the bundler's runtime hears. */
let heard: string[]
const asked: string[] = []
const scripts = () => [...document.querySelectorAll('script')]

async function request(): Promise<HTMLScriptElement | undefined> {
  void loadChunk('script', url, 'sha384-x').then(
    () => heard.push('load'),
    () => heard.push('error'),
  )
  await jest.advanceTimersByTimeAsync(0)
  return scripts().at(-1)
}
async function end(script: HTMLScriptElement | undefined, type: 'load' | 'error'): Promise<void> {
  script?.dispatchEvent(new Event(type))
  await jest.advanceTimersByTimeAsync(0)
}

beforeEach(() => {
  jest.useFakeTimers()
  heard = []
  url = `http://localhost/mf-x/1/${++chunks}.js`
  asked.length = 0
  failed.length = 0
  document.head.innerHTML = ''
  globalThis.fetch = async (url, init) => {
    asked.push(`${init?.cache ?? 'default'} ${String(url).replace(/\?.*/, '?r')}`)
    return new Response('', { headers: { 'content-type': 'text/javascript' } })
  }
})

test('a chunk that loads is requested once', async () => {
  await end(await request(), 'load')
  await request()
  expect(jest.getTimerCount()).toBe(0)
  await jest.advanceTimersByTimeAsync(10_000)
  expect([heard, asked, failed]).toEqual([['load', 'load'], [], []])
})

test('two users of a chunk share the request under way', async () => {
  const script = await request()
  await request()
  expect(scripts()).toHaveLength(1)
  await end(script, 'load')
  expect(heard).toEqual(['load', 'load'])
})

test('a failed chunk is requested again and replaced in the cache', async () => {
  await end(await request(), 'error')
  expect(heard).toEqual([])
  const again = scripts().at(-1)
  expect(again?.src).toContain(`${url}?r=`)
  expect(again?.integrity).toBe('sha384-x')
  expect(asked).toEqual([`force-cache ${url}`, `reload ${url}`, `default ${url}?r`])
  await end(again, 'load')
  expect([heard, failed]).toEqual([['load'], []])
})

test('a late chunk is requested once more beside the first request', async () => {
  await request()
  await jest.advanceTimersByTimeAsync(4_000)
  expect(asked).toEqual([`default ${url}?r`])
  await end(scripts().at(-1), 'load')
  expect(heard).toEqual(['load'])
})

test('a chunk that has failed is requested anew by its next user', async () => {
  globalThis.fetch = () => Promise.reject(new TypeError('offline'))
  await end(await request(), 'error')
  const again = await request()
  expect(again?.src).toBe(url)
  await end(again, 'load')
  expect(heard).toEqual(['error', 'load'])
})

test('a chunk fails after ten seconds or two failures, and is reported', async () => {
  globalThis.fetch = () => Promise.reject(new TypeError('offline'))
  await end(await request(), 'error')
  expect(heard).toEqual(['error'])
  expect(failed).toEqual([expect.stringContaining(`RemoteLoadError: unreachable: ${url}?r=`)])
})

type Kind = Parameters<typeof loadFile>[0]
const { signal } = new AbortController()
const elements = () => [...document.head.querySelectorAll<HTMLElement>('script, link')]

/** Resolves to the phase and the message of a failure, or to `loaded`. */
function load(kind: Kind, query = ''): Promise<string> {
  return loadFile(kind, { url, integrity: 'sha384-x' }, { query, signal }).then(
    () => 'loaded',
    ({ phase, message }: RemoteLoadError) => `${phase}: ${message}`,
  )
}
async function endLast(type: 'load' | 'error'): Promise<void> {
  await jest.advanceTimersByTimeAsync(0)
  elements().at(-1)?.dispatchEvent(new Event(type))
}

test('a style stays in the document, and a script leaves it', async () => {
  const style = load('style')
  await endLast('load')
  expect(await style).toBe('loaded')
  expect(elements()).toEqual([
    expect.objectContaining({ rel: 'stylesheet', href: url, crossOrigin: 'anonymous' }),
  ])
  expect(elements()[0]).toHaveProperty('integrity', 'sha384-x')

  url += '2'
  const broken = load('style')
  await endLast('error')
  await broken
  const script = load('script')
  await endLast('load')
  await script
  expect(elements()).toHaveLength(1)
})

test('an entry runs in every attempt, from the cache once it has arrived', async () => {
  for (const query of ['', '?r=1']) {
    const entry = load('entry', query)
    await jest.advanceTimersByTimeAsync(0)
    expect(scripts().at(-1)?.src).toBe(url)
    await endLast('load')
    expect(await entry).toBe('loaded')
  }
  expect(asked).toEqual([])
})

test('a file that the page itself has loaded is not requested', async () => {
  noteArrivedFile(new URL(url).pathname)
  expect(await load('script')).toBe('loaded')
  expect(elements()).toEqual([])
})

test.each<[Kind, string, string, () => Response]>([
  ['entry', 'HTTP 404', 'entry', () => new Response('', { status: 404 })],
  ['script', 'HTTP 503', 'chunk', () => new Response('', { status: 503 })],
  ['script', 'content type text/html', 'chunk', () => answerOf('text/html')],
  ['style', 'content type text/javascript', 'chunk', () => answerOf('text/javascript')],
  ['style', 'content type text/x, text/css', 'chunk', () => answerOf('text/x, text/css')],
  ['style', 'not the published content', 'integrity', () => answerOf('text/css; charset=utf-8')],
  ['script', 'not the published content', 'integrity', () => answerOf('text/javascript')],
  ['script', 'content type ', 'chunk', () => new Response(new Uint8Array())],
])('a failed %s says: %s', async (kind, fault, phase, answer) => {
  const seen: unknown[] = []
  globalThis.fetch = async (_, init) => {
    seen.push(init)
    return answer()
  }
  const first = load(kind)
  await endLast('error')
  expect(await first).toBe(`${phase}: ${fault}: ${url}`)
  expect(seen).toEqual([{ signal, cache: 'force-cache' }, { cache: 'reload' }])

  seen.length = 0
  const again = load(kind, '?r=1')
  await endLast('error')
  expect(await again).toBe(`${phase}: ${fault}: ${url}?r=1`)
  expect(seen).toEqual([{ signal }])
})
const answerOf = (type: string) => new Response('', { headers: { 'content-type': type } })
