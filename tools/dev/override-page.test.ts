import type { Composition } from '@anniversary/shared/contract/composition'
import { isSitePage, overridePage, overridePolicy, withBanner } from './override-page.ts'

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
const html = `<html><head>
<link rel="preload" as="script" href="/mf-a/1.0.0-abc/entry.js" integrity="sha384-x">
<link rel="preload" as="script" href="/mf-b/1.0.0-abc/entry.js" integrity="sha384-x">
</head><body><script type="application/json" id="composition">${JSON.stringify(composition)}</script>
<script type="application/json" id="config">{"site":"ANNIVERSARY","reportUrl":"/api/reports"}</script></body></html>`
const override = { remote: 'mf-a', origin: 'http://localhost:3002' }

const compositionIn = (page: string): Composition =>
  JSON.parse(/id="composition">(.*?)<\/script>/.exec(page)?.[1] ?? '')

test('only the one remote comes from the dev server, without hashes and without a second chance', () => {
  const { remotes } = compositionIn(overridePage(html, override))
  expect(remotes['mf-a']).toEqual({
    status: 'on',
    current: {
      version: 'dev',
      entry: 'http://localhost:3002/entry.js',
      integrity: '',
      container: 'mf_a',
      contract: '1.0',
      exposes: { './Page': { js: [], css: [] } },
    },
  })
  expect(remotes['mf-b']).toEqual(composition.remotes['mf-b'])
})

test('what fails here is not told to the site’s operator', () => {
  expect(overridePage(html, override)).toContain('id="config">{"site":"ANNIVERSARY"}</script>')
})

test('what the page preloaded of that remote is not asked for', () => {
  const page = overridePage(html, override)
  expect(page).not.toContain('href="/mf-a/')
  expect(page).toContain('href="/mf-b/')
})

test('a remote that the site does not have is said, with those it has', () => {
  expect(() => overridePage(html, { ...override, remote: 'mf-c' })).toThrow(/no remote mf-c.*mf-a, mf-b/)
})

test('the banner comes before all other scripts, and its words cannot leave their attribute', () => {
  const page = withBanner(html, override, 'evil" onload="x', true)
  expect(page).toContain('<head>\n<script src="/__dev/banner.js"')
  expect(page).toContain('data-site="evil&quot; onload=&quot;x"')
})

test('the policy lets the dev server in and keeps the rest', () => {
  const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; upgrade-insecure-requests"
  expect(overridePolicy(policy, override)).toBe(
    "default-src 'none'; script-src 'self' http://localhost:3002; connect-src 'self' http://localhost:3002 ws://localhost:3002",
  )
})

test('a page that is not the site’s own is left as it is', () => {
  expect(isSitePage('<html><head></head></html>')).toBe(false)
  expect(isSitePage(html)).toBe(true)
})
