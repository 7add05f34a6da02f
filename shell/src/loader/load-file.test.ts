import { FILE_LOADER, type FileLoader } from '@anniversary/shared/contract/file-loader'
import { offerFileLoader } from './load-file.ts'

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

test('a chunk fails after ten seconds or two failures, and is reported', async () => {
  globalThis.fetch = () => Promise.reject(new TypeError('offline'))
  await end(await request(), 'error')
  expect(heard).toEqual(['error'])
  expect(failed).toEqual([expect.stringContaining(`RemoteLoadError: unreachable: ${url}?r=`)])
})
