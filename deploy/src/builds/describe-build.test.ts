import { join } from 'node:path'
import { newSite } from '../../test/fixture-builds.ts'
import { describeBuild } from './describe-build.ts'

/** A stock build of webpack, as far as it matters here. */
const FILES = {
  'package.json':
    '{ "name": "@team/mf-other", "version": "2.1.0", "peerDependencies": { "react": "^19.0.0" } }',
  'routes.json': '{ "/other": { "title": "Khác", "expose": "./Page" } }',
  'dist/remoteEntry.js.LICENSE.txt': 'MIT',
  'dist/remoteEntry.js': 'var mf_other;(() => { mf_other = {} })()',
  'dist/page.js': '(self.chunks = []).push([1])',
  'dist/page.js.map': '{ "sourcesContent": ["secret"] }',
  'dist/page.css': '.a {}',
}
async function describeIt(files: Record<string, string> = {}, entry = 'remoteEntry*.js') {
  const target = await newSite()
  for (const [path, text] of Object.entries({ ...FILES, ...files }))
    await target.write(path, Buffer.from(text))
  const exposes = { './Page': ['page.js', '*.css'] }
  const again = () => describeBuild(join(target.root, 'dist'), target.root, { entry, exposes })
  return { ...(await again()), again }
}

test('a stock build is described the same way twice', async () => {
  const { build, version, again } = await describeIt()
  expect(build).toMatchObject({
    name: 'mf-other',
    entry: 'remoteEntry.js',
    container: 'mf_other',
    exposes: { './Page': { js: ['page.js'], css: ['page.css'] } },
    shared: { react: '^19.0.0' },
  })
  expect(Object.keys(build.files)).toEqual([
    'page.css',
    'page.js',
    'remoteEntry.js',
    'remoteEntry.js.LICENSE.txt',
  ])
  expect((await again()).version).toBe(version)
})

test.each<[string, Record<string, string>, RegExp]>([
  ['a page that is a module', { 'dist/page.js': 'import "./a.js"' }, /page\.js is no classic script/],
  ['no container', { 'dist/remoteEntry.js': '(() => {})()' }, /makes no container.*library/],
  ['a name that no address should have', { 'dist/a b.js': '' }, /files\.a b\.js/],
  ['a broken routes.json', { 'routes.json': '{' }, /routes\.json is not JSON/],
  [
    'a pattern for the entry that names two files',
    { 'dist/remoteEntry.2.js': '' },
    /Entry\.2\.js and remoteE/,
  ],
])('refuses %s', async (_what, files, why) => {
  await expect(describeIt(files)).rejects.toThrow(why)
})

test('a pattern without a file is rejected', async () => {
  await expect(describeIt({}, 'entry.js')).rejects.toThrow(
    /has no file entry\.js.*It has page\.css, page\.js/,
  )
})
