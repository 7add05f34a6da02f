import path from 'node:path'
import { SwcJsMinimizerRspackPlugin } from '@rspack/core'

const dir = import.meta.dirname
/** The brand's pages are older than the app: custom elements and private members suffice. */
const BROWSERS = 'chrome >= 84, edge >= 84, firefox >= 90, safari >= 15'

/**
 * Without federation and React, in one file.
 * @satisfies {import('@rspack/core').Configuration}
 */
const embed = {
  name: 'embed',
  context: dir,
  mode: 'production',
  target: `browserslist:${BROWSERS}`,
  entry: { 'mega-live': './src/mega-live.ts' },
  output: { path: path.join(dir, 'npm/dist'), filename: '[name].js', iife: true },
  resolve: { extensions: ['.ts'] },
  module: {
    rules: [
      {
        test: /\.ts$/,
        loader: 'builtin:swc-loader',
        options: {
          jsc: { parser: { syntax: 'typescript' } },
          env: { targets: BROWSERS, bugfixes: true },
        },
        type: 'javascript/auto',
      },
    ],
  },
  optimization: {
    minimizer: [
      // Old pages are not UTF-8, and scripts without a charset take the page's.
      new SwcJsMinimizerRspackPlugin({ minimizerOptions: { format: { asciiOnly: true } } }),
    ],
  },
  devtool: false,
  performance: { hints: false },
  stats: 'errors-warnings',
}

export default embed
