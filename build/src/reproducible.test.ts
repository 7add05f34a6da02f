import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Configuration, rspack } from '@rspack/core'
import { base } from './base.ts'
import { hostSharing, publishedContainer } from './federation.ts'
import { folderOf } from './packages.ts'
import { remoteShareTable } from './share-table.ts'

/*
 * The same sources give the same bytes on every machine, so that a published version can be built again and compared.
 * e2e/deploy/reproducible.spec.ts does the same with the real packages, at night.
 */

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'reproducible-'))
})
afterEach(() => rmSync(root, { recursive: true }))

/** Builds a package in this folder, which has its own copy of React. Resolves with its files. */
async function build(folder: string, config: (dir: string) => Configuration): Promise<Map<string, string>> {
  const dir = join(root, folder, 'mf-x')
  mkdirSync(join(dir, 'src'), { recursive: true })
  cpSync(folderOf('react'), join(root, folder, 'node_modules/react'), { recursive: true })
  cpSync(folderOf('react-dom'), join(root, folder, 'node_modules/react-dom'), { recursive: true })
  writeFileSync(
    join(dir, 'src/Page.tsx'),
    "import { version } from 'react'\nexport default () => <p>{version}</p>",
  )
  writeFileSync(join(dir, 'src/main.tsx'), "void import('./Page.tsx').then(console.log)")
  await new Promise<void>((resolve, reject) => {
    rspack(config(dir), (error, stats) => {
      if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString()))
      else resolve()
    })
  })
  const files = readdirSync(join(dir, 'dist'), { recursive: true, withFileTypes: true })
  return new Map(
    files
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]),
  )
}

const hosted = (dir: string): Configuration => ({
  ...base({ dir, development: false, prefix: 'shell' }),
  entry: './src/main.tsx',
  plugins: [hostSharing()],
})
const remote = (dir: string): Configuration => ({
  ...base({ dir, development: false, prefix: 'mf-x' }),
  entry: {},
  plugins: [
    publishedContainer({
      name: 'mf_x',
      filename: 'entry.[contenthash:8].js',
      shared: remoteShareTable(),
      exposes: { './Page': { import: './src/Page.tsx', name: 'Page' } },
    }),
  ],
})

test.each([
  ['a host', hosted],
  ['a remote', remote],
])('%s has the same bytes from another folder', async (_kind, config) => {
  const [one, other] = [await build('a', config), await build('another/one', config)]
  expect([...one.keys()].join()).toMatch(/\.js/)
  expect(other).toEqual(one)
  // No public file leads to its map.
  const [maps, scripts] = [/\.js\.map$/, /\.js$/].map((kind) => [...one].filter(([name]) => kind.test(name)))
  expect(maps?.map(([name]) => name.replace('.map', '')).sort()).toEqual(
    scripts?.map(([name]) => name).sort(),
  )
  expect(scripts?.filter(([, text]) => text.includes('sourceMappingURL'))).toEqual([])
})
