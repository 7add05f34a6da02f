import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Configuration, rspack } from '@rspack/core'
import { base } from '../src/base.ts'
import { hostSharing, publishedContainer } from '../src/federation.ts'
import { folderOf } from '../src/packages.ts'
import { remoteShareTable } from '../src/share-table.ts'

/*
 * Prints the files of a host and of a remote, each built in two folders: `{host: [files, files], remote: …}` as JSON. A
 * program of its own, because the bundler requires ES modules, which Jest does not let it.
 * The folders are equally deep: both are seen from one toolchain.
 */
const root = mkdtempSync(join(tmpdir(), 'reproducible-'))

/** Builds a package in this folder, which has its own copy of React. Resolves with its files, by name. */
async function build(
  folder: string,
  config: (dir: string) => Configuration,
): Promise<Record<string, string>> {
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
  return Object.fromEntries(
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

const inTwo = async (config: (dir: string) => Configuration) => [
  await build('a', config),
  await build('b', config),
]
console.log(JSON.stringify({ host: await inTwo(hosted), remote: await inTwo(remote) }))
rmSync(root, { recursive: true })
