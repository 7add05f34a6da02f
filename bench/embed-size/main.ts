import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { buildSchema } from '@anniversary/shared/contract/composition'
import { buildBundles } from './bundles.ts'

/**
 * `npm run bench:embed-size`: what each way of embedding costs a foreign page, in brotli bytes and requests. Prints a
 * table and writes bench/results/embed-size.json.
 */

const root = resolve(import.meta.dirname, '../..')
const dist = join(root, 'mf-megalive/dist')

const remote = buildSchema.parse(JSON.parse(readFileSync(join(dist, 'build.json'), 'utf8')))
const exposed = remote.kind === 'remote' && remote.exposes['./MegaLive']
if (!exposed) throw new Error('mf-megalive does not expose ./MegaLive')
const { reactScript, npmReact } = await buildBundles()

const ways = [
  { way: 'script tag: custom element', files: [join(dist, 'embed/mega-live.js')] },
  { way: 'script tag: the same in React, with react-dom', files: [reactScript] },
  { way: 'npm, in a page that has React', files: [npmReact] },
  {
    way: 'federated, in a host that has React and the runtime',
    files: [remote.entry, ...exposed.js, ...exposed.css].map((file) => join(dist, file)),
  },
].map(({ way, files }) => ({
  way,
  requests: files.length,
  brotli: files.reduce((sum, file) => sum + brotliCompressSync(readFileSync(file)).length, 0),
}))

const lightest = Math.min(...ways.map(({ brotli }) => brotli))
console.table(
  Object.fromEntries(
    ways.map(({ way, requests, brotli }) => [
      way,
      { requests, brotli: `${(brotli / 1000).toFixed(1)} kB`, times: `${(brotli / lightest).toFixed(1)} ×` },
    ]),
  ),
)
const results = join(root, 'bench/results')
mkdirSync(results, { recursive: true })
writeFileSync(join(results, 'embed-size.json'), `${JSON.stringify(ways, null, 2)}\n`)
