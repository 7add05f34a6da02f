import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import { container, type RspackPluginInstance, sharing } from '@rspack/core'
import { compile } from '../src/compile.ts'
import { type Container, developmentContainer, publishedContainer } from '../src/federation.ts'
import { remoteShareTable } from '../src/share-table.ts'

/*
 * Prints which React a remote gets, as JSON: `{table: {host: {remote: version or error}}, withUpstream: names of builds}`.
 * Hosts are ours and such with upstream's runtime; containers have our runtime, upstream's, or that of older releases.
 * In place of React is a file that exports a version. A program of its own, because the bundler requires ES modules,
 * which Jest does not let it.
 */
const dir = mkdtempSync(path.join(tmpdir(), 'federation-'))

function write(name: string, text: string): string {
  const file = path.join(dir, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}
const react = (version: string) => write(`react-${version}.js`, `exports.version = '${version}'`)
const page = write('page.js', `import { version } from 'react'; export default version`)

/** @returns the folder of a build with this plugin */
async function build(plugin: RspackPluginInstance, version: string, entry: Record<string, string> = {}) {
  const out = mkdtempSync(path.join(dir, 'out-'))
  await compile({
    context: dir,
    mode: 'production',
    target: 'webworker',
    entry,
    output: { path: out, publicPath: '/', filename: 'script.js' },
    resolve: { alias: { react: react(version) } },
    module: { rules: [{ test: /\.ts$/, loader: 'builtin:swc-loader', type: 'javascript/auto' }] },
    plugins: [plugin],
  })
  return out
}

const scriptIn = (folder: string) => readFileSync(path.join(folder, 'script.js'), 'utf8')

const SCOPE = 'globalThis.scope = __webpack_share_scopes__.default'

/** As shell/src/main.tsx. */
const ourHost = build(
  new sharing.ProvideSharedPlugin({
    provides: { react: { shareKey: 'react', eager: true, version: '19.3.1' } },
  }),
  '19.3.1',
  {
    main: write(
      'our-host.js',
      `require('react')
      __webpack_init_sharing__('default')
      ${SCOPE}
      for (const version of Object.values(scope).flatMap(Object.values)) version.loaded = 1`,
    ),
  },
)
const upstreamHost = (version: string) =>
  build(
    new ModuleFederationPlugin({
      name: 'host',
      shareStrategy: 'loaded-first',
      shared: { react: { singleton: true, eager: true, version, requiredVersion: version } },
      dts: false,
      manifest: false,
    }),
    version,
    {
      main: write(
        'upstream-host.js',
        `require('react')
        __webpack_init_sharing__('default')
        ${SCOPE}`,
      ),
    },
  )
interface Remote {
  readonly kind?: (own: Container) => RspackPluginInstance
  readonly range?: string
  /** Version of its own copy. */
  readonly own?: string
}

function remote({ kind = publishedContainer, range = '^19.0.0', own }: Remote = {}) {
  const { react } = remoteShareTable({ react: range }, own !== undefined)
  if (!react) throw new Error('react is shared')
  const shared = { react: { ...react, version: own ?? '19.3.1' } }
  const exposes = { './Page': { import: page, name: 'Page' } }
  return build(kind({ name: 'remote', filename: 'script.js', shared, exposes }), own ?? '19.3.1')
}
/** As in releases that had the bundler's own containers, which stay published. */
const bundlerContainer = (own: Container) => new container.ModuleFederationPluginV1(own)

/** Runs a host, then a remote, as the shell's loader does. @returns the version of the React that the page imports */
async function versionIn(host: Promise<string>, container: Promise<string>): Promise<unknown> {
  const folder = await container
  const context = createContext({
    console,
    setTimeout,
    URL,
    importScripts: (chunk: string) => runInContext(readFileSync(path.join(folder, chunk), 'utf8'), context),
  })
  runInContext('var window = globalThis, self = globalThis', context)
  runInContext(scriptIn(await host), context)
  runInContext(scriptIn(folder), context)
  const factory = await runInContext(
    'Promise.resolve(remote.init(scope)).then(() => remote.get("./Page"))',
    context,
  )
  return (await factory()).default
}

const both = '^18.2.0 || ^19.0.0'
const HOSTS = {
  ours: ourHost,
  'upstream, React 19': upstreamHost('19.1.0'),
  'upstream, React 18': upstreamHost('18.3.1'),
}
const REMOTES = {
  'of 19': remote(),
  'of 18 and 19': remote({ range: both }),
  'of 20': remote({ range: '^20.0.0' }),
  'of 19, with a newer one, upstream': remote({ own: '19.9.0', kind: developmentContainer }),
  'of 19, of an older release': remote({ kind: bundlerContainer }),
}
const withUpstream: string[] = []
// A global of upstream's runtime.
for (const [name, folder] of Object.entries({ ...HOSTS, ...REMOTES }))
  if (scriptIn(await folder).includes('__FEDERATION__')) withUpstream.push(name)

const table: Record<string, Record<string, unknown>> = {}
for (const [host, script] of Object.entries(HOSTS)) {
  const row: Record<string, unknown> = {}
  table[host] = row
  for (const [name, container] of Object.entries(REMOTES))
    row[name] = await versionIn(script, container).catch((error: Error) => error.message)
}
console.log(JSON.stringify({ table, withUpstream }))
rmSync(dir, { recursive: true })
