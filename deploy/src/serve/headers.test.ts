import type { Composition } from '@anniversary/shared/contract/composition'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { headerRules, headersFor } from './headers.ts'

const composition: Composition = {
  number: 1,
  createdAt: '2025-08-20T13:00:00.000Z',
  shell: { version: '1.0.0-0123456789ab', contract: '1.0' },
  remotes: {},
}
const headers = (path: string, config = {}) =>
  headersFor(headerRules(composition, publicConfigSchema.parse(config)), path)
const policy = (path: string, config = {}) => headers(path, config)['content-security-policy'] ?? ''

test.each([
  ['/shell/1.0.0-0123456789ab/main.js', /immutable/],
  ['/shell/immutable/main.01234567.js', /immutable/],
  ['/mf-auth/1.2.3-rc.1-0123456789ab/deep/er.css', /immutable/],
  ['/composition/0123456789ab.json', /immutable/],
  ['/index.html', /^no-cache$/],
  ['/login/index.html', /^no-cache$/],
  ['/composition.json', /^no-cache$/],
  ['/config.json', /^no-cache$/],
  ['/embed/mega-live.js', /^no-cache$/],
  ['/megalive-sample.html', /^no-cache$/],
  ['/robots.txt', /^no-cache$/],
  // Its folder only looks like a version.
  ['/shell/latest/main.js', /^no-cache$/],
])('%s is cached by %s', (path, expected) => {
  expect(headers(path)['cache-control']).toMatch(expected)
})

test('pages run only the site’s own scripts, and cannot be framed', () => {
  expect(policy('/login/index.html')).toMatch(
    /default-src 'none'; script-src 'self' 'sha256-[^ ]+'; style-src 'self' 'sha256-[^ ]+';/,
  )
  for (const directive of [
    "frame-src 'self'",
    "object-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
    "worker-src 'none'",
  ])
    expect(policy('/login/index.html').split('; ')).toContain(directive)
  expect(policy('/index.html')).not.toMatch(/unsafe|\*/)
  expect(headers('/login/index.html')).toMatchObject({
    'x-frame-options': 'DENY',
    'integrity-policy': 'blocked-destinations=(script)',
    'cross-origin-opener-policy': 'same-origin',
    'supports-loading-mode': 'credentialed-prerender',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': expect.stringMatching(/camera=\(\).*geolocation=\(\)/),
  })
})

test('the embedded page and the API may be of another origin', () => {
  const csp = policy('/index.html', {
    megaliveUrl: 'https://register.example/event?x=1',
    apiBase: 'https://api.example/api',
  })
  expect(csp).toContain('frame-src https://register.example;')
  expect(csp).toContain('object-src https://register.example;')
  expect(csp).toContain("connect-src 'self' https://api.example;")
})

test('a remote of another origin may be run from there, and fetched again', () => {
  const entry = 'https://team.example/mf-x/1.0.0-0123456789ab/entry.js'
  const current = { version: '1', entry, integrity: '', container: 'x', contract: '1.0', exposes: {} }
  const elsewhere = { ...composition, remotes: { 'mf-x': { status: 'on' as const, current } } }
  const rules = headerRules(elsewhere, publicConfigSchema.parse({ reportUrl: 'https://reports.example/r' }))
  const csp = headersFor(rules, '/index.html')['content-security-policy']
  expect(csp).toMatch(
    /script-src 'self' 'sha256-[^ ]+' https:\/\/team\.example; style-src 'self' 'sha256-[^ ]+' https:\/\/team\.example;/,
  )
  expect(csp).toContain("connect-src 'self' https://team.example https://reports.example;")
})

test('other sites may use the sample page and the embed', () => {
  expect(policy('/megalive-sample.html')).toContain('frame-ancestors *')
  expect(headers('/megalive-sample.html')['x-frame-options']).toBeUndefined()
  expect(headers('/embed/mega-live.js')['access-control-allow-origin']).toBe('*')
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

test('every answer forbids guessing its type', () => {
  for (const rule of headerRules(composition, publicConfigSchema.parse({})))
    expect(rule.headers['x-content-type-options']).toBe('nosniff')
})
