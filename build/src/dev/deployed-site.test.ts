import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Composition, PageComposition } from '@anniversary/shared/contract/composition'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { deployedSite, isSitePage, overridePage, overrideRemote } from './deployed-site.ts'
import { developmentPolicy } from './in-site.ts'

const release = (name: string) => ({
  version: '1.0.0-abc',
  entry: `/${name}/1.0.0-abc/entry.js`,
  integrity: 'sha384-x',
  container: name,
  contract: '1.0',
  exposes: { './Page': { js: [{ url: '/c.js', integrity: 'sha384-y' }], css: [] } },
})
const composition: Composition = {
  number: 7,
  createdAt: '2025-08-20T00:00:00Z',
  shell: { version: '1.0.0-def', contract: '1.0' },
  remotes: {
    'mf-a': { status: 'off', current: release('mf-a'), previous: release('mf-a') },
    'mf-b': { status: 'on', current: release('mf-b') },
  },
}
const part = {
  ...composition,
  remotes: {},
  whole: { url: '/composition/1.json', integrity: 'sha384-z' },
}
const html = `<html><head>
<link rel="preload" as="script" href="/mf-a/1.0.0-abc/entry.js" integrity="sha384-x">
<link rel="preload" as="script" href="/mf-b/1.0.0-abc/entry.js" integrity="sha384-x">
</head><body><script type="application/json" id="composition">${JSON.stringify(part)}</script>
<script type="application/json" id="config">{"site":"ANNIVERSARY","reportUrl":"/api/reports"}</script></body></html>`

const ROUTES = { '/new': { expose: './New', title: 'Mới' } }

test('only the developed remote comes from the dev server', () => {
  const page = overridePage(html, overrideRemote(composition, 'mf-a', ROUTES), 'mf-a')
  const { remotes, whole }: PageComposition = JSON.parse(
    /id="composition">(.*?)<\/script>/.exec(page)?.[1] ?? '',
  )
  expect(whole).toBeUndefined()
  expect(remotes['mf-a']).toEqual({
    status: 'on',
    current: {
      version: 'dev',
      entry: '/mf-a/dev/entry.js',
      integrity: '',
      container: 'mf_a',
      contract: HOST_CONTRACT,
      routes: ROUTES,
      exposes: { './New': { js: [], css: [] } },
    },
  })
  expect(remotes['mf-b']).toEqual(composition.remotes['mf-b'])
  expect(page).toContain('id="config">{"site":"ANNIVERSARY"}</script>')
  expect(page).not.toContain('href="/mf-a/')
  expect(page).toContain('href="/mf-b/')
})

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})
async function serve(handler: RequestListener): Promise<URL> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  // Only the address of a pipe is a string.
  const { port } = server.address() as AddressInfo
  return new URL(`http://127.0.0.1:${port}`)
}

/** Resolves with a dev server's origin that shows the site of this handler. */
async function develop(handler: RequestListener): Promise<URL> {
  const inSite = deployedSite(await serve(handler), 'mf-a', join(import.meta.dirname, '../..'))
  return serve((request, response) => {
    inSite(request, response, () => response.end('of the proxy'))
  })
}
const navigate = (dev: URL, headers = {}) =>
  fetch(new URL('/login', dev), { headers: { accept: 'text/html', ...headers } })

test('the composition that pages watch has the developed remote on', async () => {
  const dev = await develop((_, response) => response.end(JSON.stringify(composition)))
  const watched = await (await fetch(new URL('/composition.json', dev))).json()
  expect(watched).toMatchObject({ number: 7, remotes: { 'mf-a': { status: 'on' } } })
})

test.each(['authorization', 'cookie'])(
  'a site that admits by the header %s shows the developed remote',
  async (header) => {
    const dev = await develop(({ url, headers }, response) => {
      response.statusCode = headers[header] === 'secret' ? 200 : 401
      if (response.statusCode === 401) response.end('who is there?')
      else response.end(url === '/composition.json' ? JSON.stringify(composition) : html)
    })
    expect(await (await navigate(dev)).text()).toBe('of the proxy')
    const page = await navigate(dev, { [header]: 'secret' })
    expect(await page.text()).toContain('/mf-a/dev/entry.js')
  },
)

test('a site that redirects to another origin fails with a sentence', async () => {
  const redirect = (location: string) =>
    develop((_, response) => response.writeHead(301, { location }).end())
  const elsewhere = await navigate(await redirect('https://www.example/login'))
  expect(elsewhere.status).toBe(502)
  expect(await elsewhere.text()).toMatch(
    /^http\S+ redirects to https:\/\/www\.example: if that is the site, name it by --site\n$/,
  )
  expect(await (await navigate(await redirect('/home'))).text()).toBe('of the proxy')
})

test('the policy of a deployed site allows what the developed remote declares', () => {
  const policy = "script-src 'self'; upgrade-insecure-requests; trusted-types default"
  expect(developmentPolicy(policy, ['vue'])).toBe(
    "script-src 'self'; trusted-types default rspack-dev-server#overlay vue 'allow-duplicates'; style-src-attr 'unsafe-inline'",
  )
})

test('a page of another site stays unchanged', () => {
  expect(isSitePage('<html><head></head></html>')).toBe(false)
  expect(isSitePage(html)).toBe(true)
})
