import { createHash } from 'node:crypto'
import type { Composition, HostBuild, Release } from '@anniversary/shared/contract/composition'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { pagePolicy } from '../serve/headers.ts'
import { type PageInput, renderPage } from './page.ts'
import { wholeFile } from './whole-file.ts'

const hash = (letter: string) => `sha384-${letter.repeat(64)}`
const file = (letter: string) => ({ integrity: hash(letter), bytes: 1 })

const host: HostBuild = {
  kind: 'host',
  name: 'shell',
  version: '1.0.0',
  contract: '1.0',
  entry: { js: ['core.js', 'main.js'], css: ['main.css'] },
  routes: {
    '/': { title: 'Sự kiện <Lớn> & "Vui"' },
    '/login': { title: 'Đăng nhập', remote: 'mf-auth', expose: './LoginPage' },
    '/home': { title: 'Nhiệm vụ', remote: 'mf-missions', expose: './HomePage', protected: true },
  },
  routeAssets: { '/': { js: ['landing.js'], css: [] } },
  page: {
    name: 'Đại tiệc',
    description: 'Nhận vé "may mắn".',
    descriptions: { '/login': 'Đăng nhập để nhận vé.' },
    card: 'card.jpg',
  },
  shared: {},
  files: { 'core.js': file('a'), 'main.js': file('b'), 'main.css': file('c'), 'landing.js': file('d') },
}

const release = (version: string, base = ''): Release => ({
  version,
  entry: `${base}/mf-auth/${version}/entry.js`,
  integrity: hash('e'),
  container: 'mf_auth',
  contract: '1.0',
  exposes: {
    './LoginPage': {
      js: [{ url: `${base}/mf-auth/${version}/LoginPage.js`, integrity: hash('f') }],
      css: [{ url: `${base}/mf-auth/${version}/LoginPage.css`, integrity: hash('0') }],
    },
  },
})

const composition = (remote?: Composition['remotes'][string]): Composition => ({
  number: 7,
  createdAt: '2025-08-20T13:00:00.000Z',
  shell: { version: '1.0.0-0123456789ab', contract: '1.0' },
  remotes: remote ? { 'mf-auth': remote } : {},
})

function page(route: string, input: Partial<PageInput> = {}): string {
  const { composition: made = composition(), config = publicConfigSchema.parse({}) } = input
  const { url, integrity } = wholeFile(made)
  return renderPage({ host, route, ...input, composition: made, config, whole: { url, integrity } })
}
const live = composition({ status: 'on', current: release('1.0.0-a') })

test('files come in the order in which the first view needs them, each with its hash', () => {
  const html = page('/login', { composition: live })
  const order = ['main.css', 'LoginPage.css', 'core.js', 'main.js', 'entry.js', 'LoginPage.js']
  const places = order.map((name) => html.indexOf(`/${name}"`))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(html).toContain(
    `<script defer src="/shell/1.0.0-0123456789ab/main.js" integrity="${hash('b')}"></script>`,
  )
  expect(html).toContain(
    `<link rel="preload" as="script" href="/mf-auth/1.0.0-a/entry.js" integrity="${hash('e')}" fetchpriority="low">`,
  )
})

test('the policy allows its inline script, which comes before all that can fail', () => {
  const html = page('/login', { composition: live })
  const [, before = html, script = ''] = /^(.*?)<script>(.*?)<\/script>/s.exec(html) ?? []
  expect(before).not.toMatch(/<(script|link)/)
  const hash = createHash('sha256').update(script).digest('base64')
  expect(pagePolicy(live, publicConfigSchema.parse({}))).toContain(`script-src 'self' 'sha256-${hash}'`)
})

test('a route of the shell asks for its own files and for nothing of a remote', () => {
  const html = page('/', { composition: live })
  expect(html).toContain('/shell/1.0.0-0123456789ab/landing.js"')
  expect(html).not.toContain('href="/mf-auth')
})

test('files of another origin are preloaded in the mode in which they are fetched', () => {
  const far = composition({ status: 'on', current: release('1.0.0-a', 'https://cdn.example') })
  expect(page('/login', { composition: far })).toMatch(
    /href="https:\/\/cdn\.example\/mf-auth\/1\.0\.0-a\/entry\.js" integrity="[^"]+" crossorigin="anonymous"/,
  )
})

test('no text can break out of its element', () => {
  const config = publicConfigSchema.parse({ site: '</script><script>alert(1)</script>' })
  const html = page('/', { config })
  expect(html).toContain('<title>Sự kiện &lt;Lớn&gt; &amp; &quot;Vui&quot; · Đại tiệc</title>')
  expect(html).not.toContain('alert(1)</script>')
  const block = /id="config">(.*?)<\/script>/.exec(html)?.[1] ?? ''
  expect(JSON.parse(block)).toEqual(config)
})

/** The tags as a crawler reads them: no script, each by its name. */
function tagsOf(html: string): Record<string, string> {
  const tags = html.matchAll(/<(?:meta (?:name|property)|link rel)="([^"]+)" (?:content|href)="([^"]*)">/g)
  return Object.fromEntries([...tags].map(([, name = '', value = '']) => [name, value]))
}

test('a link to a page shows its name, what it is about and the card, all by absolute addresses', () => {
  const config = publicConfigSchema.parse({ eventUrl: 'https://event.example/' })
  expect(tagsOf(page('/login', { config }))).toMatchObject({
    description: 'Đăng nhập để nhận vé.',
    canonical: 'https://event.example/login',
    'og:url': 'https://event.example/login',
    'og:title': 'Đăng nhập · Đại tiệc',
    'og:description': 'Đăng nhập để nhận vé.',
    'og:site_name': 'Đại tiệc',
    'og:image': 'https://event.example/shell/1.0.0-0123456789ab/card.jpg',
    'twitter:card': 'summary_large_image',
  })
  expect(tagsOf(page('/', { config }))['og:description']).toBe('Nhận vé &quot;may mắn&quot;.')
})

test('without a public address no page claims one', () => {
  expect(tagsOf(page('/login'))).not.toHaveProperty('canonical')
  expect(tagsOf(page('/login'))).not.toHaveProperty('og:url')
})

test("members' pages are not listed, the others are", () => {
  expect(['/', '/login', '/home'].map((route) => tagsOf(page(route)).robots)).toEqual([
    undefined,
    undefined,
    'noindex',
  ])
})

const carried = (html: string) => JSON.parse(/id="composition">(.*?)<\/script>/.exec(html)?.[1] ?? '')

test('a page carries the releases of its own remote with its own files, and the hash of the whole composition', () => {
  const files = release('').exposes['./LoginPage'] ?? { js: [], css: [] }
  const own = (version: string): Release => ({ ...release(version), exposes: { './LoginPage': files } })
  const all = (version: string): Release => ({
    ...own(version),
    exposes: { './LoginPage': files, './CheckPage': files },
  })
  const auth = {
    status: 'on',
    previous: own('1'),
    current: own('2'),
    canary: { percent: 5, release: own('3') },
  }
  const made: Composition = {
    ...live,
    remotes: {
      'mf-auth': {
        status: 'on',
        previous: all('1'),
        current: all('2'),
        canary: { percent: 5, release: all('3') },
      },
      'mf-missions': { status: 'on', current: all('1') },
    },
  }
  const { bytes, url, integrity } = wholeFile(made)
  expect(JSON.parse(bytes.toString())).toEqual(made)
  const whole = { url, integrity }
  expect(carried(page('/login', { composition: made }))).toEqual({
    ...made,
    remotes: { 'mf-auth': auth },
    whole,
  })
  expect(carried(page('/', { composition: made }))).toEqual({ ...made, remotes: {}, whole })
})
