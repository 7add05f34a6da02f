import type { Composition } from '@anniversary/shared/contract/composition'
import { fakeRelease as release } from '@anniversary/shared/testing/fake-release'
import { ownerOfFile } from './published-files.ts'

const remotes: Composition['remotes'] = {
  'mf-x': {
    status: 'on',
    current: release('1.0.0-b'),
    previous: release('1.0.0-a', { entry: 'https://cdn.example/mf-x/1.0.0-a/entry.js' }),
    canary: { percent: 5, release: release('1.0.0-c') },
  },
}
const shell = { version: '1.0.0-s', url: `${location.origin}/shell/1.0.0-s/core.js` }
function owner(url: string, all = remotes) {
  const { name, version } = ownerOfFile(url, shell, all) ?? {}
  return name && `${name} ${version}`
}

test.each([
  ['/mf-x/1.0.0-b/LoginPage.js', 'mf-x 1.0.0-b'],
  ['/mf-x/1.0.0-b/LoginPage.js?r=3', 'mf-x 1.0.0-b'],
  ['/mf-x/1.0.0-c/entry.js', 'mf-x 1.0.0-c'],
  ['https://cdn.example/mf-x/1.0.0-a/', 'mf-x 1.0.0-a'],
  [`${location.origin}/mf-x/1.0.0-b/LoginPage.js`, 'mf-x 1.0.0-b'],
  ['/shell/1.0.0-s/axios.js', 'shell 1.0.0-s'],
])('%s was published as %s', (url, expected) => expect(owner(url)).toBe(expected))

test('a file in a shared folder belongs to the version that names it', () => {
  const shared = (version: string, name: string) =>
    release(version, {
      entry: `/mf-x/immutable/entry.${name}.js`,
      exposes: {
        './Page': {
          js: [{ url: `/mf-x/immutable/Page.${name}.js`, integrity: '' }],
          css: [{ url: `/mf-x/immutable/Page.${name}.css`, integrity: '' }],
        },
      },
    })
  const all: Composition['remotes'] = {
    'mf-x': { status: 'on', current: shared('2', 'b'), previous: shared('1', 'a') },
  }
  expect(owner('/mf-x/immutable/entry.a.js?r=1', all)).toBe('mf-x 1')
  expect(owner('/mf-x/immutable/Page.a.js', all)).toBe('mf-x 1')
  expect(owner('/mf-x/immutable/Page.a.css', all)).toBe('mf-x 1')
  expect(owner('/mf-x/immutable/Lazy.js', all)).toBe('mf-x 2')
})

test.each([
  '/mf-x/1.0.0-b/../../evil.js',
  '/mf-x/1.0.0-b/%2e%2e/%2e%2e/evil.js',
  '/mf-x/1.0.0-b\\..\\..\\evil.js',
  '/mf-x/1.0.0-bb/entry.js',
  '/mf-x/1.0.0-b',
  '/mf-x/1.0.0-a/entry.js',
  'https://cdn.example/mf-x/1.0.0-b/entry.js',
  'https://cdn.example.evil.example/mf-x/1.0.0-a/entry.js',
  'http://cdn.example/mf-x/1.0.0-a/entry.js',
  'data:text/javascript,alert(1)',
  'blob:https://cdn.example/1',
  'javascript:alert(1)//mf-x/1.0.0-b/',
  'https://',
  '',
])('%s is not published', (url) => expect(owner(url)).toBeUndefined())
