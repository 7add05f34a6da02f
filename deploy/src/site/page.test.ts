import type { Composition, HostBuild, Release } from '@anniversary/shared/contract/composition'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { siteRoutes } from '@anniversary/shared/contract/routes'
import { integrityOf } from '../builds/read-build.ts'
import { compositionFile } from './compose.ts'
import { type PageInput, renderPage } from './page.ts'

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
  },
  client: { js: ['client.js'], css: [] },
  page: {
    name: 'Đại tiệc',
    description: 'Nhận vé "may mắn".',
    card: 'card.jpg',
    cardAlt: 'Xe ô tô trên bục.',
  },
  shared: {},
  files: {
    'core.js': file('a'),
    'main.js': file('b'),
    'main.css': file('c'),
    'client.js': file('d'),
  },
}

const release = (version: string, base = ''): Release => ({
  version,
  entry: `${base}/mf-auth/${version}/entry.js`,
  integrity: hash('e'),
  container: 'mf_auth',
  contract: '1.0',
  routes: {
    '/login': { title: 'Đăng nhập', description: 'Đăng nhập để nhận vé.', expose: './LoginPage' },
    '/home': { title: 'Nhiệm vụ', expose: './HomePage', protected: true, callsApi: true },
  },
  exposes: {
    './LoginPage': {
      js: [{ url: `${base}/mf-auth/${version}/LoginPage.js`, integrity: hash('f') }],
      css: [{ url: `${base}/mf-auth/${version}/LoginPage.css`, integrity: hash('0') }],
    },
  },
})

const live: Composition = {
  number: 7,
  createdAt: '2025-08-20T13:00:00.000Z',
  shell: { version: '1.0.0-0123456789ab', contract: '1.0' },
  remotes: { 'mf-auth': { status: 'on', current: release('1.0.0-a') } },
}

function page(path: string, input: Partial<PageInput> = {}): string {
  const { composition: made = live, config = publicConfigSchema.parse({}) } = input
  const route = siteRoutes(host.routes, made.remotes)[path] ?? { title: '' }
  return renderPage({ host, path, route, ...input, composition: made, config })
}

test('files are listed in the order of need, with their hashes', () => {
  const html = page('/login')
  const order = ['core.js', 'main.js', 'entry.js', 'LoginPage.js', 'LoginPage.css']
  const places = order.map((name) => html.indexOf(`/${name}"`))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(html).toContain(
    `<script defer fetchpriority="low" src="/shell/1.0.0-0123456789ab/main.js" integrity="${hash('b')}" crossorigin="anonymous"></script>`,
  )
  expect(html).toContain(
    `<link rel="preload" as="script" href="/mf-auth/1.0.0-a/entry.js" integrity="${hash('e')}" crossorigin="anonymous" fetchpriority="low">`,
  )
})

test('a published page carries its styles as data', () => {
  const styles = ['.a::before{content:"</script>"}', '.b{}']
  const html = page('/login', { first: { html: '', styles } })
  expect(JSON.parse(/id="styles">(.*?)<\/script>/.exec(html)?.[1] ?? '')).toEqual(styles)
  const linked = (text: string) =>
    [...text.matchAll(/rel="stylesheet" href="[^"]*\/(.*?)"/g)].map(([, name]) => name)
  expect(linked(/<noscript>(.*?)<\/noscript>/.exec(html)?.[1] ?? '')).toEqual([
    'main.css',
    'LoginPage.css',
  ])
  expect(linked(html.replace(/<noscript>.*?<\/noscript>/, ''))).toEqual([])
  expect(html).not.toContain('as="style"')
  expect(linked(page('/login'))).toEqual(['main.css'])
  // Nothing is painted before what follows the root is there.
  expect(html).toMatch(
    /<link rel="expect" href="#composition" blocking="render">.*id="root".* id="composition"/s,
  )
})

test('the messages of a late page come before its root, in HTML that may be cut', () => {
  const late = (by = {}) => {
    const [before = ''] = page('/login', { first: { html: '', styles: [], ...by } }).split('"root"')
    return [...before.matchAll(/class="(failed|no-code|late-code)"/g)].map(([, name]) => name)
  }
  // Shells from before 28 November 2026 never hide `no-code` before the root.
  for (const by of [{}, { renderedBy: '/mf-auth/1/entry.js' }])
    expect(late(by)).toEqual(['failed', 'late-code'])
  // The links of the landing page work without code.
  expect(late({ renderedBy: '' })).toEqual(['failed'])
})

test('a preview links the first script', () => {
  const linked = page('/login', { host: { ...host, firstScript: 'first.js' } })
  expect(linked).toMatch(/<script src="\/shell\/1\.0\.0-0123456789ab\/first\.js"/)
})

test('a page of the shell loads no remote', () => {
  expect(page('/')).not.toContain('href="/mf-auth')
  const asking = ['/', '/login', '/home'].filter((path) => page(path).includes('/client.js"'))
  expect(asking).toEqual(['/home'])
})

test('no text can break out of its element', () => {
  const config = publicConfigSchema.parse({ site: '</script><script>alert(1)</script>' })
  const html = page('/', { config })
  expect(html).toContain('<title>Sự kiện &lt;Lớn&gt; &amp; &quot;Vui&quot; · Đại tiệc</title>')
  expect(html).not.toContain('alert(1)</script>')
  const block = /id="config">(.*?)<\/script>/.exec(html)?.[1] ?? ''
  expect(JSON.parse(block)).toEqual(config)
})

/** Crawlers run no script. */
function tagsOf(html: string): Record<string, string> {
  const tags = html.matchAll(
    /<(?:meta (?:name|property)|link rel)="([^"]+)" (?:content|href)="([^"]*)">/g,
  )
  return Object.fromEntries([...tags].map(([, name = '', value = '']) => [name, value]))
}

test('link previews get title, description and picture', () => {
  const config = publicConfigSchema.parse({ eventUrl: 'https://event.example/' })
  expect(tagsOf(page('/login', { config }))).toMatchObject({
    description: 'Đăng nhập để nhận vé.',
    canonical: 'https://event.example/login',
    'og:url': 'https://event.example/login',
    'og:title': 'Đăng nhập · Đại tiệc',
    'og:description': 'Đăng nhập để nhận vé.',
    'og:site_name': 'Đại tiệc',
    'og:image': 'https://event.example/shell/1.0.0-0123456789ab/card.jpg',
    'og:image:alt': 'Xe ô tô trên bục.',
    'twitter:card': 'summary_large_image',
  })
  expect(tagsOf(page('/', { config }))['og:description']).toBe('Nhận vé &quot;may mắn&quot;.')
  const without = tagsOf(page('/login'))
  for (const tag of ['canonical', 'og:url', 'robots']) expect(without).not.toHaveProperty(tag)
  // Members' pages are not listed.
  expect(tagsOf(page('/home')).robots).toBe('noindex')
})

const carried = (html: string) =>
  JSON.parse(/id="composition">(.*?)<\/script>/.exec(html)?.[1] ?? '')

test('a page carries only its own remote, and a hash of the rest', () => {
  const { routes = {}, exposes } = release('')
  const all = (version: string): Release => ({
    ...release(version),
    exposes: { ...release(version).exposes, './CheckPage': { js: [], css: [] } },
  })
  const own = (version: string, mine = {}) => ({ ...release(version), routes: undefined, ...mine })
  const made: Composition = {
    ...live,
    remotes: {
      'mf-auth': {
        status: 'on',
        previous: all('1'),
        current: all('2'),
        canary: { percent: 5, release: all('3') },
      },
      'mf-missions': { status: 'on', current: { ...release('1'), routes: {}, exposes } },
    },
  }
  const { path, bytes } = compositionFile(made)
  expect(JSON.parse(bytes.toString())).toEqual(made)
  const whole = { url: `/${path}`, integrity: integrityOf(bytes) }
  const auth = {
    status: 'on',
    previous: own('1'),
    current: own('2', { routes: { '/login': routes['/login'] } }),
    canary: { percent: 5, release: own('3') },
  }
  expect(carried(page('/login', { composition: made }))).toEqual({
    ...made,
    remotes: { 'mf-auth': auth },
    whole,
  })
  expect(carried(page('/', { composition: made }))).toEqual({ ...made, remotes: {}, whole })
})
