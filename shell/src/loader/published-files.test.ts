import { folderOf, publishedFolders } from './published-folders.ts'
import { fakeRelease as release } from './testing/release.ts'

const folders = publishedFolders('1.0.0-s', `${location.origin}/shell/1.0.0-s/`, {
  'mf-x': {
    status: 'on',
    current: release('1.0.0-b'),
    previous: release('1.0.0-a', { entry: 'https://cdn.example/mf-x/1.0.0-a/entry.js' }),
    canary: { percent: 5, release: release('1.0.0-c') },
  },
})
function owner(url: string) {
  const { name, version } = folderOf(folders, url) ?? {}
  return name && `${name} ${version}`
}

test.each([
  ['/mf-x/1.0.0-b/LoginPage.js', 'mf-x 1.0.0-b'],
  ['/mf-x/1.0.0-b/LoginPage.js?r=3', 'mf-x 1.0.0-b'],
  ['/mf-x/1.0.0-c/entry.js', 'mf-x 1.0.0-c'],
  ['https://cdn.example/mf-x/1.0.0-a/', 'mf-x 1.0.0-a'],
  ['/shell/1.0.0-s/axios.js', 'shell 1.0.0-s'],
])('%s was published as %s', (url, expected) => expect(owner(url)).toBe(expected))

test('in a folder of several versions a file has its own, and what none names the current one', () => {
  const shared = (version: string, name: string) =>
    release(version, {
      entry: `/mf-x/immutable/entry.${name}.js`,
      exposes: { './Page': { js: [{ url: `/mf-x/immutable/Page.${name}.js`, integrity: '' }], css: [] } },
    })
  const all = publishedFolders('1', '/shell/immutable/core.js', {
    'mf-x': { status: 'on', current: shared('2', 'b'), previous: shared('1', 'a') },
  })
  const versionAt = (file: string) => folderOf(all, `/mf-x/immutable/${file}`)?.version
  expect(versionAt('entry.a.js?r=1')).toBe('1')
  expect(versionAt('Page.b.js')).toBe('2')
  expect(versionAt('Lazy.js')).toBe('2')
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
