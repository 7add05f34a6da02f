import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, ask } from '../../test/ask.ts'
import { newSite, recordOf, remoteBuild, shellBuild, temporaryFolder } from '../../test/fixture-builds.ts'
import { createPreview } from '../verbs/preview.ts'
import { nginxConfig } from './nginx.ts'
import { listen, type SiteServer, siteHandler } from './server.ts'

/*
 * Compares nginx, with the configuration that we write, to the small server: same paths, same answers. Needs an nginx
 * (NGINX_PATH names one elsewhere).
 */

function findNginx(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  const candidates = [process.env.NGINX_PATH ?? '', ...folders.map((folder) => join(folder, 'nginx'))]
  return candidates.find((path) => path !== '' && existsSync(path)) ?? null
}

const nginx = findNginx()
let small: SiteServer
let port = 0
let stop: () => Promise<void> = async () => {}
let shellFolder = ''
let config = ''

async function freePort(): Promise<number> {
  const server = await listen('127.0.0.1', 0)
  await server.close()
  return server.port
}

beforeAll(async () => {
  const publicFiles = { '/sample.html': 's.html', '/embed/mega.js': 'm.js' }
  const target = await newSite(await shellBuild(), await remoteBuild({ publicFiles }))
  const record = await recordOf(target)
  shellFolder = `/shell/${record.shell.version}`
  await target.write('.deploy/source-maps/mf-auth/1.0.0-0123456789ab/entry.js.map', Buffer.from('{}'))
  preview = `/preview/${(await createPreview(target, [await remoteBuild({ text: 'two' })], { time: 60_000 })).preview.id}`
  small = await listen('127.0.0.1', 0)
  small.open(siteHandler(target))

  const api = await listen('127.0.0.1', 0)
  api.open((request, response) => response.end(`api ${request.url} ${request.headers['x-forwarded-for']}`))
  port = await freePort()
  config = await nginxConfig(record, {
    root: target.root,
    serverName: '_',
    listen: `127.0.0.1:${port}`,
    api: `127.0.0.1:${api.port}`,
    brotli: false,
  })
  stop = api.close
  if (!nginx) return
  const folder = await temporaryFolder()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join('\n')
  await writeFile(
    join(folder, 'nginx.conf'),
    `worker_processes 1;\npid ${join(folder, 'pid')};\nerror_log ${join(folder, 'error.log')};\n${
      process.getuid?.() === 0 ? 'user root;' : ''
    }\nevents { }\nhttp {\naccess_log off;\n${temporary}\n${config}\n}\n`,
  )
  const child = spawn(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], {
    stdio: 'inherit',
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  stop = async () => {
    child.kill('SIGTERM')
    await ended
    await api.close()
  }
  while (!(await ask(port, '/').catch(() => null))) await sleep(20)
})
afterAll(async () => {
  await stop()
  await small.close()
})

/** Headers in which the two may differ. */
const OWN = /^(date|etag|last-modified|connection|keep-alive|server|accept-ranges|transfer-encoding|vary)$/
const comparable = ({ status, headers, body }: Answer) => ({
  status,
  body,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.test(name))),
})

const needsNginx = nginx ? test : test.skip
let preview = ''
const paths = () => [
  ...['', '/', '/login', '/nowhere', '/preview.js'].map((path) => preview + path),
  '/preview/00000000000000000000000000000000/login',
  '/',
  '/login',
  '/login/',
  '/login?x=1',
  '/login/index.html',
  '/nowhere/at/all',
  '/composition.json',
  '/config.json',
  '/sample.html',
  '/gone.html',
  '/gone.js',
  '/embed/mega.js',
  '/embed/gone.js',
  '/compositions/000001.json',
  '/.deploy/lock.json',
  // A source map.
  '/.deploy/source-maps/mf-auth/1.0.0-0123456789ab/entry.js.map',
  '/a/.git/config',
  `${shellFolder}/main.js`,
  `${shellFolder}/main.css`,
  `${shellFolder}/icon.svg`,
  `${shellFolder}/letters.woff2`,
  `${shellFolder}/gone.js`,
  shellFolder,
]

describe('nginx answers as the small server does', () => {
  for (const [name, headers] of [
    ['to a browser that takes no encoding', {}],
    ['to one that takes gzip', { 'accept-encoding': 'gzip' }],
    ['behind a proxy that ends TLS', { 'x-forwarded-proto': 'https' }],
  ] as const)
    needsNginx(name, async () => {
      for (const path of paths()) {
        const [ours, theirs] = [await ask(small.port, path, headers), await ask(port, path, headers)]
        expect({ path, ...comparable(theirs) }).toEqual({ path, ...comparable(ours) })
      }
    })

  needsNginx('compressed files vary by encoding, and an unchanged one costs nothing', async () => {
    const first = await ask(port, `${shellFolder}/main.js`, { 'accept-encoding': 'gzip' })
    expect(first.headers.vary).toBe('Accept-Encoding')
    const again = await ask(port, `${shellFolder}/main.js`, {
      'accept-encoding': 'gzip',
      'if-none-match': first.headers.etag,
    })
    expect(again.status).toBe(304)
  })

  needsNginx('the API is reached, and other methods reach nothing else', async () => {
    const text = async (path: string) => (await ask(port, path)).body.toString()
    expect(await text('/api/client/info?x=1')).toBe('api /api/client/info?x=1 127.0.0.1')
    expect(await text('/healthz')).toMatch(/^api \/healthz/)
    expect((await ask(port, '/metrics')).status).toBe(404)
    expect((await ask(port, '/login', {}, 'POST')).status).toBe(405)
    expect((await ask(port, '/api/client/login', {}, 'POST')).status).toBe(200)
  })
})

test('every placeholder of the template is filled', () => {
  expect(config).not.toMatch(/\{\{/)
  expect(config).toContain("add_header content-security-policy \"default-src 'none'; script-src 'self'")
})
