import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { manifestOf, workspaces } from './packages.ts'

const root = resolve(import.meta.dirname, '../..')

/** What a package says that it imports, product and tests. */
function declared(folder: string): [name: string, range: string][] {
  const { dependencies = {}, devDependencies = {} } = manifestOf(folder)
  return [...Object.entries(dependencies), ...Object.entries(devDependencies)]
}
const everything = ['.', 'templates/remote', ...workspaces].flatMap((folder) =>
  declared(folder).map(([name, range]) => ({ folder, name, range })),
)

test.each(workspaces)('%s declares a dependency once', (folder) => {
  const names = declared(folder).map(([name]) => name)
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([])
})

test('two packages that import the same one ask for the same versions', () => {
  // This package exists to have another version.
  const compared = everything.filter(({ folder }) => folder !== 'examples/react18')
  const ranges = new Map(compared.map(({ name, range }) => [name, range]))
  expect(compared.filter(({ name, range }) => ranges.get(name) !== range)).toEqual([])
})

const remotes = workspaces.filter((folder) => folder.startsWith('mf-'))

// The examples are foreign pages, which use the embed's npm package.
const ours = workspaces.filter((folder) => !folder.startsWith('examples/'))

test.each(ours)('%s depends neither on the shell nor on a remote', (folder) => {
  const forbidden = ['shell', ...remotes].map((name) => `@anniversary/${name}`)
  expect(declared(folder).filter(([name]) => forbidden.includes(name))).toEqual([])
})

test.each(['shared', 'shell', 'api', 'deploy', ...remotes])(
  'of our packages, %s depends on shared and the toolchain alone',
  (folder) => {
    const ours = declared(folder)
      .map(([name]) => name)
      .filter((name) => name.startsWith('@anniversary/'))
    // The toolchain is no part of a product.
    expect(['@anniversary/shared', '@anniversary/build']).toEqual(expect.arrayContaining(ours))
  },
)

test('a remote asks its host for react alone, and brings nothing but what it bundles of shared', () => {
  expect(remotes.length).toBeGreaterThanOrEqual(4)
  for (const remote of remotes) {
    expect(['@anniversary/shared', 'react']).toEqual(
      expect.arrayContaining(Object.keys(manifestOf(remote).dependencies ?? {})),
    )
  }
})

test('what builds have in common is in build/', () => {
  // mf-megalive builds a second thing, its script for foreign pages.
  for (const name of ['shell', ...remotes.filter((remote) => remote !== 'mf-megalive')]) {
    const config = readFileSync(join(root, name, 'rspack.config.js'), 'utf8')
    expect(config.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(9)
  }
})
