import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
// The shape of package.json as far as it is read here.
const manifest = (path: string) =>
  JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>
    devDependencies?: Record<string, string>
  }

/** Whose internals we build on: an update is a change of ours, with its tests. */
const PINNED: [folder: string, name: string][] = [
  ['.', '@module-federation/enhanced'],
  ['.', '@module-federation/runtime'],
  ['.', '@module-federation/runtime-core'],
  ['.', '@module-federation/webpack-bundler-runtime'],
  ['api', '@electric-sql/pglite'],
]

test.each(PINNED)('%s pins %s to one version', (folder, name) => {
  const { dependencies, devDependencies } = manifest(folder)
  expect({ ...dependencies, ...devDependencies }[name]).toMatch(/^\d+\.\d+\.\d+$/)
})

const remotes = readdirSync(root).filter((name) => name.startsWith('mf-'))

test('a remote asks its host for react alone, and brings nothing but what it bundles of shared', () => {
  expect(remotes.length).toBeGreaterThanOrEqual(4)
  for (const remote of remotes) {
    expect(['@anniversary/shared', 'react']).toEqual(
      expect.arrayContaining(Object.keys(manifest(remote).dependencies ?? {})),
    )
  }
})

test('what builds have in common stands in rspack.base.js', () => {
  // mf-megalive builds a second thing, its script for foreign pages.
  for (const name of ['shell', ...remotes.filter((remote) => remote !== 'mf-megalive')]) {
    const config = readFileSync(join(root, name, 'rspack.config.js'), 'utf8')
    expect(config.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(9)
  }
})
