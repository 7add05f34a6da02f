import path from 'node:path'
import { SwcJsMinimizerRspackPlugin } from '@rspack/core'

const dir = import.meta.dirname
/** The brand's pages are older than the app: all browsers with custom elements and private class members. */
const BROWSERS = 'chrome >= 84, edge >= 84, firefox >= 90, safari >= 15'

/**
 * The script for pages that are not ours: no federation, no React, one file, one request.
 * @satisfies {import('@rspack/core').Configuration}
 */
const embed = {
  name: 'embed',
  context: dir,
  mode: 'production',
  target: `browserslist:${BROWSERS}`,
  // The preview page's script is a file of its own.
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
      // Browsers read a script without a charset in its page's, and old pages are not UTF-8.
      new SwcJsMinimizerRspackPlugin({ minimizerOptions: { format: { asciiOnly: true } } }),
    ],
  },
  devtool: false,
  performance: { hints: false },
  stats: 'errors-warnings',
}

export default embed
