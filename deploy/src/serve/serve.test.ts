import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync } from 'node:zlib'
import {
  newSite,
  recordOf,
  remoteBuild,
  shellBuild,
  type TestSite,
} from '../../test/fixture-builds.ts'
import { serveByNginx } from '../../test/nginx.ts'
import { changeSettings } from '../verbs/configure.ts'
import { createPreview } from '../verbs/preview.ts'
import { listenForRequests, type SiteServer, siteHandler } from './server.ts'

/*
 * nginx, with the configuration that we write, answers as the small server
 * does.
 */

/**
 * Unlike `fetch`, it neither normalizes the path nor decompresses the answer.
 */
async function askAt(port: number, path: string, headers = {}, method = 'GET') {
  const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }).end()
  // The event's documented argument.
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: await buffer(response),
  }
}

let server: SiteServer
let target: TestSite
let shellFolder = ''
let preview = ''

beforeAll(async () => {
  const publicFiles = {
    '/sample.html': 's.html',
    '/embed/mega.js': 'm.js',
    '/mf-auth/mf-manifest.json': 'mf-manifest.json',
  }
  target = await newSite(shellBuild(), remoteBuild({ publicFiles }))
  await changeSettings(target, { reportUrl: '/api/reports' })
  shellFolder = `/shell/${(await recordOf(target)).shell.version}`
  preview = `/preview/${(await createPreview(target, [await remoteBuild({ text: 'two' })], { for: 60_000 })).preview.id}`
  await target.write(MAP.slice(1), Buffer.from('{}'))
  server = await listenForRequests('127.0.0.1', 0)
  server.open(siteHandler(target))
})
afterAll(() => server.close())

const MAP = '/.deploy/source-maps/mf-auth/1.0.0-0123456789ab/entry.js.map'

const LOGIN = ['/login', '/login/', '/login?a=b', '//login', '/login/index.html']
const FIRST = ['/', '/khuyen-mai/nao-do']
const missing = () => [
  '/gone.js',
  '/gone.html',
  '/embed/gone.js',
  '/a/b/c.css',
  `/x.${'y'.repeat(300)}`,
  `${shellFolder}/gone.js`,
  shellFolder,
  '/preview/00000000000000000000000000000000/login',
  `${preview}/nowhere`,
]
const HIDDEN = [
  '/compositions/000001.json',
  '//compositions//000001.json',
  '/.deploy/started.json',
  '/./.deploy/x.json',
  '/a/.git/config',
  MAP,
]
const files = () => [
  '/composition.json',
  '/config.json',
  '/mf-auth/mf-manifest.json',
  '/sample.html',
  '/embed/mega.js',
  ...['main.js', 'main.css', 'icon.svg', 'letters.woff2'].map((file) => `${shellFolder}/${file}`),
  ...['', '/', '/login', '/preview.css'].map((path) => preview + path),
]

const ask = (path: string, headers = {}, method = 'GET') =>
  askAt(server.port, path, headers, method)

test.each([
  ...LOGIN.map((path) => [path, 'Đăng nhập']),
  // The first page's router decides.
  ...FIRST.map((path) => [path, 'Sự kiện']),
])('%s is the page %s', async (path = '', title) => {
  const { status, headers, body } = await ask(path)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(body.toString()).toContain(`<title>${title}</title>`)
})

test('unknown files and private ones are an uncached 404', async () => {
  for (const path of [...missing(), ...HIDDEN]) {
    const { status, headers } = await ask(path)
    expect({ path, status }).toEqual({ path, status: 404 })
    expect(headers['content-type']).toContain('text/plain')
    expect(headers['cache-control']).toBe('no-store')
  }
})

test.each([
  '/../package.json',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/..%2fx.json',
  '/..\\x.json',
  '/%5c..%5cx.json',
  '/%00',
  '/%zz',
  '/a%00.js',
])('%s is refused', async (path) => {
  expect((await ask(path)).status).toBe(400)
})

test('brotli is sent to browsers that take it', async () => {
  const path = `${shellFolder}/main.js`
  const plain = await ask(path)
  expect(plain.headers['content-encoding']).toBeUndefined()
  const br = await ask(path, { 'accept-encoding': 'gzip, deflate, br' })
  expect(br.headers['content-encoding']).toBe('br')
  expect(br.headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(brotliDecompressSync(br.body)).toEqual(plain.body)
  expect(
    (await ask(path, { 'accept-encoding': 'gzip, zebra' })).headers['content-encoding'],
  ).toBeUndefined()
  for (const { headers } of [plain, br]) expect(headers.vary).toBe('Accept-Encoding')
  expect(br.headers.etag).not.toBe(plain.headers.etag)
  for (const refused of ['br;q=0, gzip', 'gzip, br ; q=0.0'])
    expect((await ask(path, { 'accept-encoding': refused })).headers).not.toHaveProperty(
      'content-encoding',
    )
  // Compressed by its format.
  const font = await ask(`${shellFolder}/letters.woff2`, { 'accept-encoding': 'br' })
  expect(font.headers['content-encoding']).toBeUndefined()
})

test('unchanged pages answer 304; other methods than GET and HEAD 405', async () => {
  const { headers, body } = await ask('/login')
  const again = await ask('/login', { 'if-none-match': headers.etag })
  expect([again.status, again.body.length]).toEqual([304, 0])
  expect(again.headers['content-security-policy']).toBe(headers['content-security-policy'])
  const head = await ask('/login', {}, 'HEAD')
  expect([head.headers['content-length'], head.body.length]).toEqual([String(body.length), 0])
  expect(await ask('/login', {}, 'POST')).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD' },
  })
})

const WORKER = { 'service-worker': 'script' }
const HTTPS = { 'x-forwarded-proto': 'https' }

test('https answers have HSTS', async () => {
  expect((await ask('/', HTTPS)).headers['strict-transport-security']).toContain('max-age')
  expect((await ask('/')).headers['strict-transport-security']).toBeUndefined()
})

test('a starting server answers 503', async () => {
  const early = await listenForRequests('127.0.0.1', 0)
  expect(await askAt(early.port, '/')).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2' },
  })
  await early.close()
})

describe('nginx', () => {
  let api: SiteServer
  let nginx: { port: number }
  beforeAll(async () => {
    api = await listenForRequests('127.0.0.1', 0)
    api.open((request, response) =>
      response.end(`api ${request.url} ${request.headers['x-forwarded-for']}`),
    )
    nginx = await serveByNginx(target, { api: [`127.0.0.1:${api.port}`] })
  })
  afterAll(() => api.close())

  test.each([
    ['to a browser that takes no encoding', {}],
    ['behind a proxy that ends TLS', HTTPS],
  ])('answers as the small server does, %s', async (_what, headers) => {
    for (const path of [...LOGIN, ...FIRST, ...missing(), ...HIDDEN, ...files()]) {
      const [ours, theirs] = [await ask(path, headers), await askAt(nginx.port, path, headers)]
      expect({ path, ...comparable(theirs) }).toEqual({ path, ...comparable(ours) })
    }
  })

  test('a request for a service worker gets one that removes itself', async () => {
    const [ours, theirs] = [
      await ask('/old/sw.js', WORKER),
      await askAt(nginx.port, '/old/sw.js', WORKER),
    ]
    expect(comparable(theirs)).toEqual(comparable(ours))
    expect(ours.headers['content-type']).toMatch(/^text\/javascript/)
    expect(ours.body.toString()).toContain('registration.unregister()')
  })

  test('nginx answers gzip without brotli, and 304', async () => {
    const [file, gzip] = [`${shellFolder}/main.js`, { 'accept-encoding': 'gzip' }]
    const { headers } = await askAt(nginx.port, file, gzip)
    expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'content-encoding': 'gzip' })
    expect((await askAt(nginx.port, file, { ...gzip, 'if-none-match': headers.etag })).status).toBe(
      304,
    )
  })

  test('nginx passes API calls on, and nothing private', async () => {
    const text = async (path: string) => (await askAt(nginx.port, path)).body.toString()
    expect(await text('/api/client/info?x=1')).toBe('api /api/client/info?x=1 127.0.0.1')
    expect(await text('/healthz')).toMatch(/^api \/healthz/)
    expect((await askAt(nginx.port, '/metrics')).status).toBe(404)
    expect((await askAt(nginx.port, '/login', {}, 'POST')).status).toBe(405)
    expect((await askAt(nginx.port, '/api/client/login', {}, 'POST')).status).toBe(200)
  })
})

const OWN =
  /^(date|etag|last-modified|connection|keep-alive|server|accept-ranges|transfer-encoding|vary)$/
const comparable = ({ status, headers, body }: Awaited<ReturnType<typeof askAt>>) => ({
  status,
  body,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.test(name))),
})
