import { createRequire } from 'node:module'
import path from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import type { Configuration } from '@rspack/core'

/** Bundles of the pages that have any: each as a page of its own would build it, with its own React. */

const dir = path.join(import.meta.dirname, '..')

interface React {
  readonly version: string
  readonly alias: Record<string, string>
}

/** @param folder of the package whose React it is */
function reactOf(folder: string): React {
  const require = createRequire(path.join(folder, 'package.json'))
  const folderOf = (name: string) => path.dirname(require.resolve(`${name}/package.json`))
  const { version } = require('react/package.json') as { version: string } // npm requires one
  return { version, alias: { react: folderOf('react'), 'react-dom': folderOf('react-dom') } }
}
const react18 = reactOf(path.join(dir, '../react18'))
const react19 = reactOf(dir)

const page = (name: string, entry: string, alias: Record<string, string> = {}) =>
  ({
    name,
    context: dir,
    mode: 'production',
    target: ['web', 'es2022'],
    entry: { [name]: entry },
    output: {
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
          },
          type: 'javascript/auto',
        },
      ],
    },
    devtool: false,
    performance: { hints: false },
  }) satisfies Configuration

const federated = (name: string, { version, alias }: React): Configuration => ({
  ...page(name, './federated/main.ts', alias),
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
    }),
  ],
})

export const bundles: Configuration[] = [
  page('react18', './bundled/react.tsx', react18.alias),
  page('react19', './bundled/react.tsx', react19.alias),
  page('vue3', './bundled/vue3.ts'),
  page('server-rendered', './server-rendered/main.tsx', react19.alias),
  federated('federated-react18', react18),
  federated('federated-react19', react19),
]
