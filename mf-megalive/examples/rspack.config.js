import { createRequire } from 'node:module'
import path from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'

/** Bundles of the example pages that have any: each as a page of its own would build it, with its own React. */
const dir = import.meta.dirname
const BROWSERS = 'chrome >= 109, edge >= 109, firefox >= 115, safari >= 16.4'

function reactOf(workspace) {
  const require = createRequire(path.join(dir, '../..', workspace, 'package.json'))
  const folder = (name) => path.dirname(require.resolve(`${name}/package.json`))
  const { version } = require('react/package.json')
  return { version, alias: { react: folder('react'), 'react-dom': folder('react-dom') } }
}
const react18 = reactOf('react18')
const react19 = reactOf('mf-megalive')

const page = (name, entry, { alias = {}, plugins = [] } = {}) => ({
  name,
  context: dir,
  mode: 'production',
  target: `browserslist:${BROWSERS}`,
  entry: { [name]: entry },
  output: {
    path: path.join(dir, 'dist'),
    filename: '[name].js',
    chunkFilename: `${name}.[name].js`,
    publicPath: '/bundles/',
    uniqueName: name,
  },
  resolve: { extensions: ['.tsx', '.ts', '.js'], alias },
  module: {
    rules: [
      {
        test: /\.tsx?$/,
        loader: 'builtin:swc-loader',
        options: {
          jsc: {
            parser: { syntax: 'typescript', tsx: true },
            transform: { react: { runtime: 'automatic' } },
          },
          env: { targets: BROWSERS },
        },
        type: 'javascript/auto',
      },
    ],
  },
  plugins,
  devtool: false,
  performance: { hints: false },
  stats: 'errors-warnings',
})

const federated = (name, { version, alias }) =>
  page(name, './federated/main.ts', {
    alias,
    plugins: [
      new ModuleFederationPlugin({
        name: name.replaceAll('-', '_'),
        shareStrategy: 'loaded-first',
        shared: {
          react: { singleton: true, version, requiredVersion: version },
          'react-dom': { singleton: true, version, requiredVersion: version },
        },
        dts: false,
        manifest: false,
        // Our remotes carry no federation runtime core: they take the one that the host puts on the page.
        experiments: { provideExternalRuntime: true },
      }),
    ],
  })

export default [
  page('react18', './react18/main.tsx', { alias: react18.alias }),
  page('react19', './react19/main.tsx', { alias: react19.alias }),
  page('vue3', './vue3/main.ts'),
  page('server-rendered', './server-rendered/main.tsx', { alias: react19.alias }),
  federated('federated-react18', react18),
  federated('federated-react19', react19),
]
