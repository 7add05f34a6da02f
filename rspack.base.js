import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import {
  CopyRspackPlugin,
  DefinePlugin,
  HtmlRspackPlugin,
  RuntimeGlobals,
  RuntimeModule,
  SubresourceIntegrityPlugin,
  sources,
} from '@rspack/core'
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh'

/**
 * The one build factory. A package's own `rspack.config.js` calls `host()` or `remote()` and says only what is its own.
 */

/** What host and remotes share, and nothing else: every further entry is a version that four teams must move together. */
const SHARED = ['react', 'react-dom']

/** The oldest browsers with native <dialog>, cascade layers and constructable style sheets. */
const BROWSERS = 'chrome >= 99, edge >= 99, firefox >= 101, safari >= 16.4, ios_saf >= 16.4'

/** A lazy chunk that has not arrived by then is asked for anew, once (milliseconds); see `FreshChunksPlugin`. */
const CHUNK_TIMEOUT = 5_000

/** Stands in a build for the hash of its own output until that is known. As long as what replaces it. */
const BUILD_HASH = 'q7bldq7'

const root = import.meta.dirname
const require = createRequire(import.meta.url)
/** A package's name without its scope, which is what a site and its addresses call it. */
const nameOf = (dir) => readJson(path.join(dir, 'package.json')).name.replace(/^@[^/]+\//, '')
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
/** Of an installed package. A team's own repository has this file and all packages below its node_modules. */
const folderOf = (name) => path.dirname(require.resolve(`${name}/package.json`))
/** The contract's version stands once, in the contract. */
function hostContract() {
  const source = readFileSync(require.resolve('@anniversary/shared/contract/host'), 'utf8')
  const found = /HOST_CONTRACT = '(\d+\.\d+)'/.exec(source)
  if (!found) throw new Error('HOST_CONTRACT not found in @anniversary/shared/contract/host')
  return found[1]
}

function shareTable({ isHost, development, ranges = {} }) {
  return Object.fromEntries(
    SHARED.map((name) => {
      const version = readJson(require.resolve(`${name}/package.json`)).version
      const range = ranges[name] ?? `^${version.split('.')[0]}.0.0`
      // The host owns the only copy: a remote's deploy can never swap React for everyone. A remote in production
      // carries none; in development it keeps its own so that it runs alone.
      const entry = { singleton: true, version, requiredVersion: range }
      if (isHost) return [name, { ...entry, eager: true }]
      return [name, { ...entry, strictVersion: true, ...(development ? {} : { import: false }) }]
    }),
  )
}

/**
 * @module-federation resolves its runtime by require(), which may pick the CommonJS build that nothing can shake.
 * Point at the ES modules, and fail loudly when an update moves them.
 */
function federationRuntimeAlias() {
  const esm = (name) => {
    const file = path.join(folderOf(name), 'dist/index.js')
    if (!existsSync(file)) throw new Error(`${name} has no dist/index.js any more: check rspack.base.js`)
    return file
  }
  const cjs = (name) => path.join(folderOf(name), 'dist/index.cjs')
  return Object.fromEntries(
    ['@module-federation/webpack-bundler-runtime', '@module-federation/runtime'].map((name) => [
      cjs(name),
      esm(name),
    ]),
  )
}

/** What every build has in common, federated or not. */
export function base({ dir, development, refresh = false, prefix }) {
  return {
    context: dir,
    mode: development ? 'development' : 'production',
    target: `browserslist:${BROWSERS}`,
    devtool: development ? 'cheap-module-source-map' : false,
    output: {
      path: path.join(dir, 'dist'),
      clean: true,
      uniqueName: prefix,
      crossOriginLoading: 'anonymous',
      chunkLoadTimeout: CHUNK_TIMEOUT,
      filename: development ? '[name].js' : '[name].[contenthash:8].js',
      chunkFilename: development ? '[name].js' : '[name].[contenthash:8].js',
      cssFilename: development ? '[name].css' : '[name].[contenthash:8].css',
      cssChunkFilename: development ? '[name].css' : '[name].[contenthash:8].css',
      assetModuleFilename: '[name].[contenthash:8][ext]',
    },
    resolve: { extensions: ['.tsx', '.ts', '.js'], alias: federationRuntimeAlias() },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          loader: 'builtin:swc-loader',
          options: {
            jsc: {
              parser: { syntax: 'typescript', tsx: true },
              // Without refresh the page's React is a production build, which knows no development JSX.
              transform: { react: { runtime: 'automatic', development: refresh, refresh } },
            },
            env: { targets: BROWSERS },
          },
          type: 'javascript/auto',
        },
        { test: /\.module\.css$/, type: 'css/module' },
        { test: /\.css$/, exclude: /\.module\.css$/, type: 'css' },
        { test: /\.(svg|woff2|webp|png)$/, type: 'asset/resource' },
      ],
      generator: {
        // A class name starts with its package, so that no remote's style reaches another's. No hash in development:
        // a name that changes breaks hot reload of CSS.
        'css/module': {
          localIdentName: development ? `${prefix}-[name]-[local]` : `${prefix}-[hash:base64:5]`,
        },
      },
      parser: { 'css/module': { namedExports: false } },
    },
    performance: { hints: false },
    stats: 'errors-warnings',
  }
}

/**
 * What `experiments.externalRuntime` does for the runtime's core, for the two layers above it: one copy on the page, put
 * there by the shell's `core` script. Halves a remote's entry.
 */
function sharedRuntime({ request }, callback) {
  if (/@module-federation[\\/]webpack-bundler-runtime/.test(request)) {
    callback(null, '_FEDERATION_BUNDLER_RUNTIME', 'global')
  } else if (/@module-federation[\\/]runtime([\\/]dist|$)/.test(request)) {
    callback(null, '_FEDERATION_RUNTIME', 'global')
  } else callback()
}

/** @param name of the container: an identifier */
const federation = ({ isHost, name, development, ranges, ...own }) =>
  new ModuleFederationPlugin({
    name,
    shared: shareTable({ isHost, development, ranges }),
    shareStrategy: 'loaded-first',
    dts: false,
    manifest: false,
    experiments: {
      // One runtime core for the page, put there by the shell's `core` script.
      externalRuntime: !development,
      // The harness imports the pages directly; its shared modules load asynchronously all the same.
      asyncStartup: development,
      optimization: { disableSnapshot: true, target: 'web', disableRemote: !isHost },
    },
    ...own,
  })

/**
 * Gives a remote's build names of its own: the global of its container, the global that its chunks are pushed to, and
 * its class names. Two versions on one page (a second chance after a failure, a canary) then share nothing by accident.
 * Their names must differ exactly when their content does, so they are made of a hash of that content.
 */
class OwnNamesPlugin {
  apply(compiler) {
    const { Compilation } = compiler.webpack
    // After minification, before the plugins that hash what a file holds.
    const stage = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1
    compiler.hooks.thisCompilation.tap('OwnNamesPlugin', (compilation) => {
      compilation.hooks.processAssets.tap({ name: 'OwnNamesPlugin', stage }, () => {
        const texts = compilation
          .getAssets()
          .filter(({ name }) => /\.(js|css)$/.test(name))
          .map(({ name, source }) => [name, source.source().toString()])
          .sort(([a], [b]) => (a < b ? -1 : 1))
        const hash = createHash('sha256').update(JSON.stringify(texts)).digest('hex')
        const own = `x${hash.slice(0, BUILD_HASH.length - 1)}`
        for (const [name, text] of texts)
          if (text.includes(BUILD_HASH))
            compilation.updateAsset(name, new sources.RawSource(text.replaceAll(BUILD_HASH, own)))
        compilation.ownNamesHash = own
      })
    })
  }
}

/**
 * A lazy chunk that failed is asked for once more under a new URL, which no cache and no hung request answers; what is
 * lost all the same is told to the page as a `chunklost` event with the build's public path and the error.
 */
class FreshChunksPlugin {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('FreshChunksPlugin', (compilation) => {
      compilation.hooks.additionalTreeRuntimeRequirements.tap('FreshChunksPlugin', (chunk, requirements) => {
        if (requirements.has(RuntimeGlobals.ensureChunk))
          compilation.addRuntimeModule(chunk, new FreshChunksRuntimeModule())
      })
    })
  }
}

class FreshChunksRuntimeModule extends RuntimeModule {
  constructor() {
    super('fresh chunks', RuntimeModule.STAGE_TRIGGER)
  }

  generate() {
    const { ensureChunk, getChunkScriptFilename, getChunkCssFilename, publicPath } = RuntimeGlobals
    const fresh = (filename) => `
      var named = ${filename};
      if (named) ${filename} = (id) => named(id) + (tries ? '?t=' + tries : '');`
    return `
      var load = ${ensureChunk}, tries = 0;
      (() => {${fresh(getChunkScriptFilename)}})();
      (() => {${fresh(getChunkCssFilename)}})();
      ${ensureChunk} = (id) => load(id).catch(() => (tries++, load(id))).catch((error) => {
        dispatchEvent(new CustomEvent('chunklost', { detail: [${publicPath}, error] }));
        throw error;
      });`
  }
}

/** Writes `build.json` (shared/contract/composition: buildSchema) beside the build, for `deploy` to publish. */
class BuildManifestPlugin {
  constructor(describe) {
    this.describe = describe
  }

  apply(compiler) {
    const { Compilation } = compiler.webpack
    const stage = Compilation.PROCESS_ASSETS_STAGE_REPORT
    compiler.hooks.thisCompilation.tap('BuildManifestPlugin', (compilation) => {
      compilation.hooks.processAssets.tap({ name: 'BuildManifestPlugin', stage }, () => {
        const described = this.describe(compilation)
        const files = Object.fromEntries(
          compilation.getAssets().map(({ name, source }) => [name, fingerprint(source.buffer())]),
        )
        const build = { ...described, files: { ...files, ...described.files } }
        compilation.emitAsset('build.json', new sources.RawSource(JSON.stringify(build, null, 2)))
      })
    })
  }
}

const fingerprint = (bytes) => ({
  integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
  bytes: bytes.length,
})

/** Scripts and styles of a named chunk group, in load order. */
function filesOf(compilation, chunkName) {
  const group = compilation.namedChunkGroups.get(chunkName)
  if (!group)
    throw new Error(`no chunk is named ${chunkName}: check the route table and the chunk names in import()`)
  const files = [...group.getFiles()]
  return {
    js: files.filter((file) => file.endsWith('.js')),
    css: files.filter((file) => file.endsWith('.css')),
  }
}

function identity(dir) {
  const { version } = readJson(path.join(dir, 'package.json'))
  return { name: nameOf(dir), version, contract: hostContract() }
}

/** `./LoginPage` → `LoginPage`: an expose's chunk bears its name. */
const chunkNameOf = (expose) => expose.slice(2)

/**
 * Config of a remote.
 * @param {object} options
 * @param {string} options.dir folder of the package: `import.meta.dirname`
 * @param {Record<string, string>} options.exposes what hosts may load: `{'./LoginPage': './src/LoginPage.tsx'}`
 * @param {Record<string, string>} [options.publicFiles] site-root path → file below `public/`, served under a stable name
 * @param {Record<string, string>} [options.ranges] shared module → versions this remote also works with, where a
 *   foreign host may lend an older one; default: the installed major
 * @param {boolean} [options.foreignHosts] brings its own federation runtime but for the core, since hosts other than our
 *   shell may load it
 * @param {number} options.port of `npm run dev`
 */
export function remote({ dir, exposes, publicFiles, ranges, foreignHosts = false, port }) {
  const name = nameOf(dir)
  return (env = {}) => {
    const development = Boolean(env.RSPACK_SERVE)
    // Inside a deployed site React is the site's, a production build that cannot refresh: pages reload instead.
    const alone = development && !env.site
    const entry = development ? 'entry.js' : 'entry.[contenthash:8].js'
    const own = development ? name : `${name}-${BUILD_HASH}`
    const container = own.replaceAll('-', '_')
    const config = base({ dir, development, refresh: alone, prefix: own })
    return {
      ...config,
      ...(development || foreignHosts ? {} : { externals: [sharedRuntime] }),
      // Alone, a remote shows itself in its harness; a production build is the container and nothing else.
      ...(development && !alone ? { optimization: { nodeEnv: 'production' } } : {}),
      entry: alone ? { harness: './src/harness.ts' } : {},
      output: { ...config.output, publicPath: 'auto' },
      plugins: [
        federation({
          isHost: false,
          name: container,
          development,
          ranges,
          filename: entry,
          exposes: Object.fromEntries(
            Object.entries(exposes).map(([key, file]) => [key, { import: file, name: chunkNameOf(key) }]),
          ),
        }),
        ...(existsSync(path.join(dir, 'public'))
          ? [new CopyRspackPlugin({ patterns: [{ from: 'public' }] })]
          : []),
        ...(alone
          ? [
              new ReactRefreshRspackPlugin(),
              new HtmlRspackPlugin({
                template: path.join(folderOf('@anniversary/shared'), 'src/harness/harness.html'),
                title: name,
                chunks: ['harness'],
              }),
            ]
          : []),
        ...(development
          ? []
          : [
              new OwnNamesPlugin(),
              new FreshChunksPlugin(),
              new SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] }),
              new BuildManifestPlugin((compilation) => ({
                ...identity(dir),
                kind: 'remote',
                entry: filesOf(compilation, container).js[0],
                container: container.replace(BUILD_HASH, compilation.ownNamesHash),
                exposes: Object.fromEntries(
                  Object.keys(exposes).map((key) => [key, filesOf(compilation, chunkNameOf(key))]),
                ),
                ...(publicFiles && { publicFiles }),
                shared: {
                  ...shareRanges((shared) => shared.requiredVersion, ranges),
                  [RUNTIME]: `~${runtimeVersion()}`,
                },
              })),
            ]),
      ],
      devServer: devServer({ port, dir, hot: alone }),
    }
  }
}

/** The runtime is shared as well (`sharedRuntime`): `deploy` holds a remote to the version that the shell offers. */
const RUNTIME = '@module-federation/runtime'
const runtimeVersion = () => readJson(path.join(folderOf(RUNTIME), 'package.json')).version

const shareRanges = (pick, ranges) =>
  Object.fromEntries(
    Object.entries(shareTable({ isHost: true, development: false, ranges })).map(([name, shared]) => [
      name,
      pick(shared),
    ]),
  )

const devServer = ({ port, dir, hot }) => ({
  port,
  hot,
  historyApiFallback: true,
  headers: { 'access-control-allow-origin': '*' },
  static: existsSync(path.join(dir, 'public')) ? path.join(dir, 'public') : false,
  // The harness's switch to the real API talks to a running `npm start`.
  proxy: [{ context: ['/api'], target: process.env.API_URL ?? 'http://localhost:3000', changeOrigin: true }],
})

/**
 * Configs of the shell: the federation runtime's core as its own script, and the host.
 * @param {object} options
 * @param {string} options.dir folder of the package
 * @param {Record<string, object>} options.routes the route table (shared/contract/composition: routeSchema)
 */
export function host({ dir, routes }) {
  const name = nameOf(dir)
  const config = base({ dir, development: false, prefix: name })
  const core = {
    ...config,
    name: 'core',
    entry: { core: './src/federation/core.ts' },
    // What ModuleFederationPlugin defines in the other builds, so that the same parts of the runtime are left out here.
    plugins: [new DefinePlugin({ FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: true, ENV_TARGET: '"web"' })],
  }
  // Runs in Node at build time: each route's first picture as HTML, which `deploy` puts into its page.
  const skeletons = {
    ...config,
    name: 'skeletons',
    dependencies: ['core'],
    target: 'node20',
    entry: { skeletons: './src/skeletons.tsx' },
    output: {
      ...config.output,
      clean: false,
      path: path.join(root, '.cache/skeletons'),
      publicPath: '%BASE%/',
      filename: '[name].cjs',
      library: { type: 'commonjs2' },
    },
    externals: [/^(react|react-dom)(\/|$)/],
    externalsType: 'commonjs',
    plugins: [],
  }
  const main = {
    ...config,
    name: 'main',
    dependencies: ['core', 'skeletons'],
    externals: [sharedRuntime],
    entry: { main: './src/main.tsx' },
    output: { ...config.output, clean: false, publicPath: 'auto' },
    optimization: {
      splitChunks: {
        cacheGroups: {
          // Changes seldom, so a new shell leaves it in members' caches; loads in parallel with the rest.
          vendor: {
            test: /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/,
            name: 'vendor',
            chunks: 'initial',
          },
        },
      },
    },
    plugins: [
      federation({ isHost: true, name, development: false }),
      new FreshChunksPlugin(),
      new SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] }),
      new BuildManifestPlugin((compilation) => {
        const first = filesOf(compilation, 'main')
        const coreFile = readdirSync(path.join(dir, 'dist')).find((file) => /^core\..*\.js$/.test(file))
        compilation.emitAsset(
          'icon.svg',
          new sources.RawSource(readFileSync(path.join(dir, 'src/layout/icon.svg'))),
        )
        const skeletonFiles = {}
        const { renderSkeleton } = require(path.join(root, '.cache/skeletons/skeletons.cjs'))
        for (const route of Object.keys(routes)) {
          const file = `skeleton${route.replaceAll('/', '-')}.html`
          const html = Buffer.from(renderSkeleton(route))
          compilation.emitAsset(file, new sources.RawSource(html))
          skeletonFiles[route] = file
        }
        return {
          ...identity(dir),
          kind: 'host',
          page: { icon: 'icon.svg', skeletons: skeletonFiles },
          entry: { js: [coreFile, ...first.js], css: first.css },
          routes,
          routeAssets: Object.fromEntries(
            Object.entries(routes).map(([route, { chunks = [] }]) => {
              const files = chunks.map((chunk) => filesOf(compilation, chunk))
              return [route, { js: files.flatMap(({ js }) => js), css: files.flatMap(({ css }) => css) }]
            }),
          ),
          shared: { ...shareRanges((shared) => shared.version), [RUNTIME]: runtimeVersion() },
          files: { [coreFile]: fingerprint(readFileSync(path.join(dir, 'dist', coreFile))) },
        }
      }),
    ],
  }
  return [core, skeletons, main]
}
