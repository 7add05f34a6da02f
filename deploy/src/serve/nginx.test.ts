import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { freePorts } from '@anniversary/shared/testing/free-ports'
import { newSite, shellBuild, type TestSite, temporaryFolder } from '../../test/fixture-builds.ts'
import { serveByNginx } from '../../test/nginx.ts'
import { run } from '../../test/run.ts'
import { type Handler, listenForRequests, type SiteServer } from './server.ts'

let target: TestSite
beforeAll(async () => {
  target = await newSite(shellBuild())
})
const apis: SiteServer[] = []
afterEach(() => Promise.all(apis.splice(0).map((api) => api.close())))

async function startApi(handler: Handler, port = 0): Promise<SiteServer> {
  const api = await listenForRequests('127.0.0.1', port)
  api.open(handler)
  apis.push(api)
  return api
}
/** @returns the address of nginx */
async function serve(...handlers: Handler[]): Promise<string> {
  for (const handler of handlers) await startApi(handler, (await freePorts(1))[0])
  return (await serveByNginx(target, { api: apis.map(({ port }) => `127.0.0.1:${port}`) })).url
}

test('nginx answers 503 with retry-after while the API is away', async () => {
  const url = await serve((_request, response) => response.end('{}'))
  const call = () => fetch(`${url}/api/client/info`, { method: 'POST', body: '{}' })
  await apis[0]?.close()
  const away = await call()
  expect(Object.fromEntries(away.headers)).toMatchObject({
    'retry-after': '5',
    'cache-control': 'no-store',
  })
  expect({ status: away.status, body: await away.json() }).toMatchObject({
    status: 503,
    body: { status_code: 503, message: expect.stringContaining('khởi động lại'), data: null },
  })
  await startApi((_request, response) => response.end('{}'), apis[0]?.port)
  expect((await call()).status).toBe(200)
})

test('a 503 of the API keeps its body and its retry-after', async () => {
  const busy: Handler = (_request, response) =>
    response.writeHead(503, { 'retry-after': '90' }).end('busy')
  const url = await serve(busy)
  const answer = await fetch(`${url}/api/client/info`)
  expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([
    503,
    '90',
    'busy',
  ])
})

test('of two processes, one that stops costs no call', async () => {
  const ok: Handler = (_request, response) => response.end('{}')
  const url = await serve(ok, ok)
  const call = async () => (await fetch(`${url}/api/client/info`)).status
  await call()
  await apis[1]?.close()
  expect(await Promise.all(Array.from({ length: 20 }, call))).toEqual(Array(20).fill(200))
})

test.each([
  ['443', ['80', '[::]:80', '443 ssl http2', '[::]:443 ssl http2']],
  ['0.0.0.0:8443', ['0.0.0.0:80', '0.0.0.0:8443 ssl http2']],
])('with --listen %s nginx listens on %j', async (listen, addresses) => {
  const options = ['--listen', listen, '--cert', '/x.pem', '--key', '/y.pem']
  const { out } = await run('nginx', ...options, '--site', target.root)
  expect([...out.matchAll(/^ *listen (.*);/gm)].map(([, address]) => address)).toEqual(addresses)
})

/** @param backlog connections that the kernel takes for the frozen process */
async function startFrozen(backlog: number): Promise<number> {
  const code = `const server = require('node:net').createServer().listen(
    { port: 0, host: '127.0.0.1', backlog: ${backlog} },
    () => console.log(server.address().port))`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  frozen.push(child)
  const [port] = await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  return Number(port)
}
const frozen: ChildProcess[] = []
afterEach(() => {
  for (const child of frozen.splice(0)) child.kill('SIGKILL')
})

test('a machine that is away costs no call an answer', async () => {
  const away = await startFrozen(1)
  // The kernel drops each further one.
  const taken = Array.from({ length: 8 }, () => connectTcp(away, '127.0.0.1'))
  for (const socket of taken) socket.on('error', () => undefined)
  await Promise.race(taken.map((socket) => once(socket, 'connect')))
  await startApi((_request, response) => response.end('{}'))
  const api = [`127.0.0.1:${away}`, `127.0.0.1:${apis[0]?.port}`]
  const { url } = await serveByNginx(target, { api })

  const began = performance.now()
  const call = async () =>
    (await fetch(`${url}/api/client/login`, { method: 'POST', body: '{}' })).status
  expect(await Promise.all(Array.from({ length: 10 }, call))).toEqual(Array(10).fill(200))
  // By default nginx waits for a minute.
  expect(performance.now() - began).toBeLessThan(20_000)
  for (const socket of taken) socket.destroy()
})

test('a frozen process gets no more calls than the other has at work', async () => {
  const port = await startFrozen(511)
  await startApi((_request, response) => response.end('{}'))
  const api = [`127.0.0.1:${port}`, `127.0.0.1:${apis[0]?.port}`]
  const { url } = await serveByNginx(target, { api })
  const call = async () => (await fetch(`${url}/api/client/info`)).status
  let isHeldUp = true
  const first = Promise.all([call(), call()]).finally(() => {
    isHeldUp = false
  })
  for (let calls = 0; calls < 20; calls++) expect(await call()).toBe(200)
  expect(isHeldUp).toBe(true)
  frozen[0]?.kill('SIGKILL')
  expect(await first).toEqual([200, 200])
})

test('a full batch passes nginx, and a larger one gets a sentence', async () => {
  const url = await serve(async (request, response) => {
    response.end(String((await text(request)).length))
  })
  const post = (path: string, megabytes: number) =>
    fetch(`${url}${path}`, { method: 'POST', body: 'x'.repeat(megabytes * 1024 * 1024) })
  expect(await (await post('/api/users/activity', 7)).text()).toBe(String(7 * 1024 * 1024))
  for (const [path, megabytes] of [
    ['/api/users/activity', 9],
    ['/api/client/login', 2],
  ] as const) {
    const answer = await post(path, megabytes)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 413,
      body: { status_code: 413, message: expect.stringContaining('quá lớn'), data: null },
    })
  }
})

test.each([
  ['claims', 'POST', 'take-code?event_code_detail=X', 20, 2],
  ['reads', 'GET', 'info', 60, 5],
])(
  "nginx limits and slows one member's %s, not those of others",
  async (_name, method, path, burst, rate) => {
    const url = await serve((_request, response) => response.end('{}'))
    // `fetch` would strip tabs, which nginx takes for a part of a token.
    const call = async (headers: Record<string, string>) => {
      const sent = request(`${url}/api/client/${path}`, { method, headers, agent: false }).end()
      const [answer] = (await once(sent, 'response')) as [IncomingMessage] // Node's own event
      return { status: answer.statusCode, headers: answer.headers, text: () => text(answer) }
    }
    const ways = [
      { 'x-sign-key': 'script', authorization: 'Bearer other' },
      { authorization: 'Bearer script' },
      { authorization: 'bearer  script' },
      { 'x-sign-key': '\tscript\t' },
      { authorization: 'Bearer script\t' },
    ]
    const began = performance.now()
    const script = await Promise.all(
      Array.from({ length: 200 }, (_, n) => call(ways[n % ways.length] ?? {})),
    )
    const refused = script.filter(({ status }) => status === 429)
    const seconds = (performance.now() - began) / 1000
    expect(script.length - refused.length).toBeLessThanOrEqual(burst + 1 + rate * seconds)
    expect(refused[0]?.headers['retry-after']).toBe('2')
    expect(JSON.parse((await refused[0]?.text()) ?? '')).toMatchObject({
      status_code: 429,
      data: null,
    })
    expect(performance.now() - began).toBeGreaterThan(1000)
    expect((await call({ 'x-sign-key': 'member' })).status).toBe(200)
    expect((await call({ authorization: 'Bearer member2' })).status).toBe(200)
  },
)

test('nginx answers 503 with retry-after when its connections run out', async () => {
  const hangs: Handler = (request) => void setTimeout(() => request.destroy(), 1000)
  const api = await startApi(hangs)
  const { url } = await serveByNginx(target, { api: [`127.0.0.1:${api.port}`] }, (config) =>
    config
      .replace('events { }', 'events { worker_connections 16; }')
      .replace(/listen .*(?=;)/, '$& http2'),
  )
  const session = connect(url)
  const call = async () => {
    const stream = session.request({ ':path': '/api/client/info' })
    const [headers] = await once(stream, 'response')
    return [headers[':status'], headers['retry-after']]
  }
  expect(await Promise.all(Array.from({ length: 20 }, call))).toEqual(Array(20).fill([503, '5']))
  session.destroy()
})

test('calls that one address leaves unfinished keep no page from others', async () => {
  const { port, url } = await serveByNginx(target, {}, (config) =>
    config
      .replace('events { }', 'events { worker_connections 64; }')
      .replaceAll('limit_conn deploy_networks 1000', 'limit_conn deploy_networks 10'),
  )
  const local = { port, host: '127.0.0.1', localAddress: '127.0.0.2' }
  const calls = Array.from({ length: 70 }, () => connectTcp(local))
  const answers: string[] = []
  for (const call of calls) {
    call.on('error', () => undefined)
    call.on('data', (answer) => answers.push(String(answer)))
    call.write('POST /api/client/login HTTP/1.1\r\nhost: x\r\ncontent-length: 900000\r\n\r\n')
  }
  while (calls.filter(({ closed }) => closed).length < 60) await sleep(20)
  expect((await fetch(url)).status).toBe(200)
  expect(answers[0]).toMatch(/^HTTP\/1\.1 503 .*retry-after: 5\r.*"status_code":503/s)
  for (const call of calls) call.destroy()
})

test('nginx asks the API once for a hundred readers of draws', async () => {
  const asked: unknown[] = []
  const url = await serve((request, response) => {
    asked.push([request.headers.cookie, request.headers['x-sign-key']])
    response.setHeader('cache-control', 'public, max-age=60')
    setTimeout(() => response.end('[]'), 100)
  })
  const headers = { cookie: 'a=b', 'x-sign-key': 'secret' }
  const answers = Array.from({ length: 100 }, () => fetch(`${url}/api/client/draws`, { headers }))
  for (const answer of await Promise.all(answers)) expect(await answer.text()).toBe('[]')
  expect(asked).toEqual([[undefined, undefined]])
})

test("nginx keeps one compressed copy of a draw's list for all readers", async () => {
  let asked = 0
  const url = await serve((request, response) => {
    asked++
    expect(request.headers['accept-encoding']).toBe('gzip')
    const headers = { 'content-encoding': 'gzip', vary: 'accept-encoding' }
    response.writeHead(200, { ...headers, 'cache-control': 'public, max-age=60' })
    response.end(gzipSync('A51C-20QB-17CB\n'))
  })
  const list = `${url}/api/client/draws/1/list`
  for (const address of [list, `${list}/`, `${list}?a=b`])
    for (const encoding of ['identity', 'gzip', 'gzip, br']) {
      const answer = await fetch(address, { headers: { 'accept-encoding': encoding } })
      expect(await answer.text()).toBe('A51C-20QB-17CB\n')
    }
  expect(asked).toBe(1)
})

test('the admission page makes pages without a turn wait, and nothing else', async () => {
  const folder = fileURLToPath(new URL('../../../packaging/admission/', import.meta.url))
  const [http, server] = ['http.conf', 'server.conf'].map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  )
  const own = await temporaryFolder()
  await writeFile(join(own, 'server.conf'), `${server?.replace('/etc/nginx/event-turn', folder)}`)
  await writeFile(join(own, 'hsts.conf'), 'set $deploy_hsts max-age=1;')
  const { url } = await serveByNginx(target, {}, (config) =>
    config.replace('/etc/nginx/event.d', own).replace('http {', () => `http {\n${http}`),
  )
  const page = (cookie = '') => fetch(url, { headers: { accept: 'text/html,*/*;q=0.8', cookie } })
  const turn = await page()
  expect([turn.status, turn.headers.get('retry-after')]).toEqual([503, '60'])
  expect(turn.headers.get('cache-control')).toBe('no-store')
  expect(await turn.text()).toContain('trang sẽ tự mở khi đến lượt bạn')
  const { status, headers } = await page('event_turn=1')
  expect([status, headers.get('strict-transport-security')]).toEqual([200, 'max-age=1'])
  expect((await fetch(`${url}/composition.json`)).status).toBe(200)
  expect((await fetch(`${url}/api/client/info`)).headers.get('retry-after')).toBe('5')
})

test('a certificate brings TLS and HTTP/2', async () => {
  const folder = await temporaryFolder()
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost']
  execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  await target.write('.well-known/acme-challenge/x', Buffer.from('proof'))
  const [plain] = await freePorts(1)
  const { port } = await serveByNginx(target, { serverName: 'localhost', cert, key }, (config) =>
    config.replace('127.0.0.1:80;', `127.0.0.1:${plain};`),
  )
  const here = `http://127.0.0.1:${plain}`
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  const stream = session.request({ ':path': '/', host: 'localhost' })
  const [headers] = await once(stream, 'response')
  expect(headers).toMatchObject({ ':status': 200, 'strict-transport-security': expect.any(String) })
  expect(await text(stream)).toContain('<title>')
  session.close()
  const moved = await fetch(`${here}/login?a=b`, { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([
    301,
    'https://127.0.0.1/login?a=b',
  ])
  expect(await (await fetch(`${here}/.well-known/acme-challenge/x`)).text()).toBe('proof')
})

test.each([
  [['--api', '127.0.0.1'], /--api <host:port>' argument '127\.0\.0\.1' is invalid\. .*127/],
  [['--api', 'x:1; include /etc/passwd'], /--api/],
  [['--api', '127.0.0.1:99999'], /--api/],
  [['--listen', '443 ssl http2'], /--listen/],
  [['--server-name', 'a;b'], /--server-name/],
  [['--cert', '/x.pem'], /--cert and --key belong together/],
  [['--cert', 'x.pem', '--key', '/y'], /--cert <file>' argument 'x\.pem'/],
  [['--cert', '/$x.pem', '--key', '/y'], /Cannot be written/],
])('nginx %j is rejected', async (options, why) => {
  expect(await run('nginx', ...options, '--site', target.root)).toMatchObject({
    code: 2,
    err: expect.stringMatching(why),
  })
})
