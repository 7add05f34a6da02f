import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { federatedContainer } from '../src/federation.ts'
import { compile } from '../src/prerender.ts'

/*
 * Builds a remote and runs it with the share scopes of hosts. Prints, as JSON, the version of the React that its page gets
 * from each, or the error, and whether the entry contains upstream's runtime. A program of its own, because the bundler
 * requires ES modules, which Jest does not let it.
 */
const dir = mkdtempSync(path.join(tmpdir(), 'federation-'))
writeFileSync(path.join(dir, 'page.js'), `import { version } from 'react'; export default version`)
await compile({
  context: dir,
  mode: 'production',
  target: 'webworker',
  entry: {},
  output: { path: dir, publicPath: '/', filename: '[name].js' },
  module: { rules: [{ test: /\.ts$/, loader: 'builtin:swc-loader', type: 'javascript/auto' }] },
  plugins: [federatedContainer({ name: 'remote', filename: 'entry.js', exposes: { './Page': './page.js' } })],
})
const read = (file: string) => readFileSync(path.join(dir, file), 'utf8')

/** Offered versions of React, the one in use first. */
const HOSTS = {
  ours: ['19.2.9'],
  another: ['19.3.1', '19.9.0'],
  'an older minor': ['19.1.4'],
  'React 18': ['18.3.1'],
  'no React': [],
}

async function versionFrom(offered: readonly string[]): Promise<string> {
  const offers = offered.map((version, index) => [
    version,
    { loaded: index === 0, get: async () => () => ({ version }) },
  ])
  const context = createContext({
    importScripts: (chunk: string) => runInContext(read(chunk), context),
    scope: { react: Object.fromEntries(offers) },
  })
  runInContext(`var self = globalThis;${read('entry.js')}`, context)
  const page = `Promise.resolve(remote.init(scope)).then(() => remote.get('./Page')).then((make) => make().default)`
  return await runInContext(page, context)
}

const versions: Record<string, string> = {}
for (const [host, offered] of Object.entries(HOSTS))
  versions[host] = await versionFrom(offered).catch(({ message }: Error) => message)
// A global of upstream's runtime.
console.log(JSON.stringify({ versions, hasUpstream: read('entry.js').includes('__FEDERATION__') }))
rmSync(dir, { recursive: true })
