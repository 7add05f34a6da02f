import path from 'node:path'
import { SwcJsMinimizerRspackPlugin } from '@rspack/core'

const dir = import.meta.dirname
/** Pages of the brand are older than the app: everything with custom elements and private class members. */
const BROWSERS = 'chrome >= 84, edge >= 84, firefox >= 90, safari >= 15'

/** The one script for pages that are not ours: no federation, no React, one file, one request. */
export default {
  name: 'embed',
  context: dir,
  mode: 'production',
  target: `browserslist:${BROWSERS}`,
  // The preview page's script is built beside it, but is no part of it.
  entry: { 'mega-live': './src/script.ts', preview: './src/preview/main.ts' },
  output: { path: path.join(dir, '.cache/embed'), filename: '[name].js', iife: true, clean: true },
  resolve: { extensions: ['.ts'] },
  module: {
    rules: [
      {
        test: /\.tsx?$/,
        loader: 'builtin:swc-loader',
        options: { jsc: { parser: { syntax: 'typescript' } }, env: { targets: BROWSERS, bugfixes: true } },
        type: 'javascript/auto',
      },
    ],
  },
  optimization: {
    minimizer: [
      // Old pages are not UTF-8, and a script without a charset is read as its page is: no letter may depend on that.
      new SwcJsMinimizerRspackPlugin({ minimizerOptions: { format: { asciiOnly: true } } }),
    ],
  },
  devtool: false,
  performance: { hints: false },
  stats: 'errors-warnings',
}
