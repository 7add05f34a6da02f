import path from 'node:path'
import { CopyRspackPlugin } from '@rspack/core'
import embed from '../embed.rspack.config.js'

const dir = path.join(import.meta.dirname, '..')
const script = path.join(embed.output.path, 'mega-live.js')
const elementSources = path.join(dir, 'src/element')

/**
 * The npm package: readable ES modules without dependencies; whoever uses them minifies. The element is in one file
 * only, and the other entries import that file, so that no page gets two classes.
 * @type {import('@rspack/core').Configuration}
 */
export default {
  name: 'npm',
  dependencies: [embed.name],
  context: dir,
  mode: 'production',
  target: 'es2022',
  entry: { element: './npm/element.ts', index: './npm/index.ts', react: './npm/react.ts' },
  output: {
    path: path.join(dir, 'npm/dist'),
    filename: '[name].js',
    module: true,
    chunkFormat: 'module',
    library: { type: 'modern-module' },
  },
  externalsType: 'module',
  externals: [
    'react',
    ({ context, request, contextInfo }, done) => {
      const file = path.resolve(context ?? '', request ?? '')
      const isElement =
        file === path.join(dir, 'npm/element.ts') || file.startsWith(`${elementSources}${path.sep}`)
      const fromOutside = contextInfo?.issuer && !contextInfo.issuer.startsWith(elementSources)
      const fromElement = contextInfo?.issuer === path.join(dir, 'npm/element.ts')
      return isElement && fromOutside && !fromElement ? done(undefined, './element.js') : done()
    },
  ],
  resolve: { extensions: ['.tsx', '.ts'] },
  module: embed.module,
  optimization: { minimize: false, concatenateModules: true },
  plugins: [new CopyRspackPlugin({ patterns: [script] })],
  devtool: false,
  performance: { hints: false },
  stats: 'errors-warnings',
}
