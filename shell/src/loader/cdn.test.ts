import { fakeRelease } from '@anniversary/shared/testing/fake-release'
import { giveUpCdn, setCdn } from './cdn.ts'
import { loadFile, prefetchFiles } from './load-file.ts'

const asked: string[] = []
/** Addresses of elements and fetches, without the origin of the page. */
const name = (url: string) => url.replace(location.origin, '').replace(/\?.*/, '?r')

beforeEach(() => {
  asked.length = 0
  document.head.innerHTML = ''
  setCdn('https://cdn.example')
  globalThis.fetch = async (url, init) => {
    if (init?.cache !== 'reload') asked.push(name(String(url)))
    return new Response('', { status: 503 })
  }
})
afterEach(() => setCdn(undefined))

test('a file of the CDN is requested on the own origin as it is, then under a new address each time', async () => {
  const file = { url: 'https://cdn.example/mf-x/1/a.js', integrity: 'sha384-x' }
  const signal = new AbortController().signal
  for (const query of ['', '?r=1', '?r=2']) {
    const end = loadFile('script', file, { query, signal }).catch(() => undefined)
    for (const script of document.querySelectorAll('script')) script.dispatchEvent(new Event('error'))
    await end
  }
  expect(asked).toEqual(['https://cdn.example/mf-x/1/a.js', '/mf-x/1/a.js', '/mf-x/1/a.js?r'])
})

test('files are fetched ahead from where the page will request them', () => {
  const release = (version: string) =>
    fakeRelease(version, { entry: `https://cdn.example/mf-x/${version}/entry.js` })
  prefetchFiles(release('1'), './Page')
  giveUpCdn()
  prefetchFiles(release('2'), './Page')
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=preload]')]
  expect(links.map(({ href }) => name(href))).toEqual([
    'https://cdn.example/mf-x/1/entry.js',
    '/mf-x/2/entry.js',
  ])
})
