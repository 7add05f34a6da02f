import type { Composition } from '@anniversary/shared/contract/composition'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { fakeComposition, fakeRelease } from '@anniversary/shared/testing/fake-release'
import { headerRules, headersFor, pagePolicy } from './headers.ts'

const headers = (path: string, config = {}) =>
  headersFor(headerRules(fakeComposition(), publicConfigSchema.parse(config)), path)
const policy = (path: string, config = {}) => headers(path, config)['content-security-policy'] ?? ''

test.each([
  ['/shell/1.0.0-0123456789ab/main.js', /immutable/],
  ['/shell/immutable/main.01234567.js', /immutable/],
  ['/composition/0123456789ab.json', /immutable/],
  ['/login/index.html', /^no-cache$/],
  ['/composition.json', /^no-cache$/],
  ['/embed/mega-live.js', /^no-cache$/],
  ['/robots.txt', /^no-cache$/],
  // Its folder only looks like a version.
  ['/shell/latest/main.js', /^no-cache$/],
])('%s is cached by %s', (path, expected) => {
  expect(headers(path)['cache-control']).toMatch(expected)
})

test('pages run only the site’s own scripts, and cannot be framed', () => {
  expect(policy('/login/index.html').replace(/'sha256-[^ ;]+'/g, 'HASH')).toBe(
    "default-src 'none'; script-src 'self' HASH; style-src 'self' HASH; img-src 'self' data:; font-src 'self'; " +
      "manifest-src 'self'; connect-src 'self'; frame-src 'self'; object-src 'self'; worker-src 'none'; base-uri 'none'; " +
      "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default",
  )
  expect(headers('/login/index.html')).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'integrity-policy': 'blocked-destinations=(script)',
    'cross-origin-opener-policy': 'same-origin',
    'supports-loading-mode': 'credentialed-prerender',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': expect.stringMatching(/camera=\(\).*geolocation=\(\)/),
  })
})

test('the policy names the origins of API, reports and remotes', () => {
  const current = fakeRelease('1', {
    entry: 'https://team.example/mf-x/1.0.0-0123456789ab/entry.js',
  })
  const config = publicConfigSchema.parse({
    megaliveUrl: 'https://register.example/event?x=1',
    apiBase: 'https://api.example/api',
    reportUrl: 'https://reports.example/r',
  })
  const remotes: Composition['remotes'] = { 'mf-x': { status: 'on', current } }
  const csp = pagePolicy(fakeComposition({ remotes }), config)
  expect(csp.replace(/'sha256-[^ ;]+'/g, 'HASH').split('; ')).toEqual(
    expect.arrayContaining([
      "script-src 'self' HASH https://team.example",
      "style-src 'self' HASH https://team.example",
      "connect-src 'self' https://team.example https://api.example https://reports.example",
      'frame-src https://register.example',
      'object-src https://register.example',
    ]),
  )
})

test('the policy names what libraries in remotes create, in canaries and when off too', () => {
  const remotes: Composition['remotes'] = {
    'mf-a': {
      status: 'on',
      current: fakeRelease('1', { trustedTypes: ['vue'] }),
      canary: { percent: 5, release: fakeRelease('1', { trustedTypes: ['vue', 'lit-html'] }) },
    },
    'mf-b': { status: 'off', current: fakeRelease('1', { trustedTypes: ['svelte-trusted-html'] }) },
  }
  const policy = pagePolicy(fakeComposition({ remotes }), publicConfigSchema.parse({}))
  expect(policy).toMatch(
    /; trusted-types default vue lit-html svelte-trusted-html 'allow-duplicates'$/,
  )
})

test('browsers report to the address that pages report to, but not of previews', () => {
  const reporting = (path: string, reportUrl: string) =>
    headers(path, { reportUrl })['reporting-endpoints']
  expect(reporting('/login/index.html', '/api/reports')).toBe('default="/api/reports"')
  expect(reporting('/', 'https://a.example/r"\\ệ?x=%20')).toBe(
    'default="https://a.example/r%22%5C%E1%BB%87?x=%20"',
  )
  expect(reporting('/preview/0123/login/index.html', '/api/reports')).toBeUndefined()
  expect(policy('/', { reportUrl: '/api/reports' })).toMatch(/; report-to default$/)
})

test('a preview is not stored or listed, hides its address, and has a page’s policy', () => {
  const path = '/preview/0123/login/index.html'
  expect(headers(path)).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
  expect(policy(path)).toBe(policy('/login/index.html'))
})

test.each([
  '/megalive-sample.html',
  '/mf-auth/immutable/drawing.01234567.svg',
  '/mf-auth/1.2.3-0123456789ab/LoginPage.html',
  '/embed/drawing.svg',
  '/drawing.svg',
])('%s, opened in a tab, has no origin and starts no worker', (path) => {
  expect(policy(path)).toMatch(/; sandbox(?!.*allow-same-origin)/)
  expect(policy(path)).toMatch(/worker-src 'none'|^default-src 'none'(?!.*script-src)/)
})
