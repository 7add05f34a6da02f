import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

/**
 * `npm run weigh -w mf-megalive`: what each way of embedding costs a foreign page, in brotli bytes and requests.
 * Prints a table and writes weigh/dist/weight.json.
 */
const folder = join(import.meta.dirname, '..')
const rspack = join(folder, '../node_modules/@rspack/cli/bin/rspack.js')
const build = (...args: string[]) =>
  execFileSync(process.execPath, [rspack, 'build', ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })

build()
build('-c', 'weigh/rspack.config.js')

const brotli = (file: string) =>
  brotliCompressSync(readFileSync(join(folder, file)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  }).length

interface Exposed {
  readonly entry: string
  readonly exposes: Record<string, { readonly js: readonly string[]; readonly css: readonly string[] }>
}
const remote: Exposed = JSON.parse(readFileSync(join(folder, 'dist/build.json'), 'utf8'))
const { js = [], css = [] } = remote.exposes['./MegaLive'] ?? {}

const ways = [
  { way: 'script tag: custom element', files: ['dist/embed/mega-live.js'] },
  { way: 'script tag: the same in React, with react-dom', files: ['weigh/dist/react-script.js'] },
  { way: 'npm, in a page that has React', files: ['weigh/dist/npm-react.js'] },
  {
    way: 'federated, in a host that has React and the runtime',
    files: [remote.entry, ...js, ...css].map((file) => `dist/${file}`),
  },
].map(({ way, files }) => ({
  way,
  requests: files.length,
  brotli: files.reduce((sum, file) => sum + brotli(file), 0),
}))

const lightest = ways[0]?.brotli ?? 1
const rows = ways.map(({ way, requests, brotli: bytes }) => [
  way,
  String(requests),
  `${(bytes / 1000).toFixed(1)} kB`,
  `${(bytes / lightest).toFixed(1)} ×`,
])
const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0), 8))
for (const row of [['way', 'requests', 'brotli', ''], ...rows]) {
  const cells = row.map((cell, at) =>
    at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
  )
  process.stdout.write(`${cells.join('  ')}\n`)
}
mkdirSync(join(folder, 'weigh/dist'), { recursive: true })
writeFileSync(join(folder, 'weigh/dist/weight.json'), `${JSON.stringify(ways, null, 2)}\n`)
