import { brotliDecompressSync } from 'node:zlib'
import { ask as askAt } from '../../test/ask.ts'
import { newSite, recordOf, remoteBuild, shellBuild } from '../../test/fixture-builds.ts'
import type { FileTarget } from '../target/file-target.ts'
import { publish } from '../verbs/publish.ts'
import { listen, type SiteServer, siteHandler } from './server.ts'

let server: SiteServer
let target: FileTarget
let shellFolder = ''

beforeAll(async () => {
  target = await newSite(await shellBuild(), await remoteBuild())
  shellFolder = `/shell/${(await recordOf(target)).shell.version}`
  server = await listen('127.0.0.1', 0)
  server.open(siteHandler(target))
})
afterAll(() => server.close())

/** A source map as a publish stores it. */
const MAP = '/.deploy/source-maps/mf-auth/1.0.0-0123456789ab/entry.js.map'

const ask = (path: string, headers = {}, method = 'GET') => askAt(server.port, path, headers, method)

test.each(['/login', '/login/', '/login?a=b', '//login', '/login/index.html'])(
  '%s is the page of /login',
  async (path) => {
    const { status, headers, body } = await ask(path)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(body.toString()).toContain('<title>Đăng nhập</title>')
  },
)

test('an unknown path is the first page, whose router decides', async () => {
  const { status, body } = await ask('/khuyen-mai/nao-do')
  expect(status).toBe(200)
  expect(body.toString()).toContain('<title>Sự kiện</title>')
})

test('an unknown file is a 404 that is not cached', async () => {
  for (const path of [
    '/x.js',
    `${shellFolder}/gone.js`,
    '/a/b/c.css',
    shellFolder,
    `/x.${'y'.repeat(300)}`,
  ]) {
    const { status, headers } = await ask(path)
    expect(status).toBe(404)
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

test('deploy’s own files are not served', async () => {
  await target.write(MAP.slice(1), Buffer.from('{}'))
  for (const path of [
    '/compositions/000001.json',
    '/.deploy/lock.json',
    '//compositions//000001.json',
    '/./.deploy/x.json',
    MAP,
  ])
    expect((await ask(path)).status).toBe(404)
})

test('the best encoding that the browser takes is sent, and holds the same', async () => {
  const path = `${shellFolder}/main.js`
  const plain = await ask(path)
  expect(plain.headers['content-encoding']).toBeUndefined()
  const br = await ask(path, { 'accept-encoding': 'gzip, deflate, br' })
  expect(br.headers['content-encoding']).toBe('br')
  expect(br.headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(brotliDecompressSync(br.body)).toEqual(plain.body)
  expect((await ask(path, { 'accept-encoding': 'gzip, br;q=0' })).headers['content-encoding']).toBe('gzip')
  expect((await ask(path, { 'accept-encoding': 'zebra' })).headers['content-encoding']).toBeUndefined()
  for (const { headers } of [plain, br]) expect(headers.vary).toBe('Accept-Encoding')
  expect(br.headers.etag).not.toBe(plain.headers.etag)
})

test('an unchanged page costs an empty answer', async () => {
  const first = await ask('/login')
  const second = await ask('/login', { 'if-none-match': first.headers.etag })
  expect(second.status).toBe(304)
  expect(second.body.length).toBe(0)
  expect(second.headers['content-security-policy']).toBe(first.headers['content-security-policy'])
})

test('HEAD tells the length and sends nothing; other methods are refused', async () => {
  const whole = await ask('/login')
  const head = await ask('/login', {}, 'HEAD')
  expect(head.headers['content-length']).toBe(String(whole.body.length))
  expect(head.body.length).toBe(0)
  const post = await ask('/login', {}, 'POST')
  expect(post.status).toBe(405)
  expect(post.headers.allow).toBe('GET, HEAD')
})

test('https behind a proxy binds the browser to https, http does not', async () => {
  expect((await ask('/', { 'x-forwarded-proto': 'https' })).headers['strict-transport-security']).toContain(
    'max-age',
  )
  expect((await ask('/')).headers['strict-transport-security']).toBeUndefined()
})

test('a page is whole at any moment of a deploy', async () => {
  let deploying = true
  let loads = 0
  const deploys = (async () => {
    for (let n = 0; n < 10 || loads < 10; n++)
      await publish(target, [await remoteBuild({ text: `flip ${n}` })])
    deploying = false
  })()
  while (deploying) {
    const { status, body } = await ask('/login')
    expect(status).toBe(200)
    const entry = /href="(\/mf-auth\/[^"]+\/entry\.js)"/.exec(body.toString())?.[1] ?? ''
    expect((await ask(entry)).status).toBe(200)
    loads += 1
  }
  await deploys
})

test('before it is opened, a server says that it is starting', async () => {
  const early = await listen('127.0.0.1', 0)
  const { status, headers } = await askAt(early.port, '/healthz')
  await early.close()
  expect(status).toBe(503)
  expect(headers['retry-after']).toBe('2')
})
