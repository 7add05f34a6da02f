import { DefinePlugin, HtmlRspackPlugin } from '@rspack/core'

/** Origin of a running site: `npm start`, or a published one. */
const SITE = process.env.SITE ?? 'http://localhost:3000'

const STRICT_POLICY = [
  "default-src 'none'",
  `script-src ${SITE}`,
  "style-src 'self'",
  // The icon that browsers ask for.
  "img-src 'self'",
  `frame-src ${SITE}`,
  `object-src ${SITE}`,
  "require-trusted-types-for 'script'",
].join('; ')

/** @param {string} name */
const plain = (name) =>
  new HtmlRspackPlugin({
    filename: `${name}.html`,
    template: `${name}.html`,
    templateParameters: { site: SITE },
    inject: false,
  })

/** @param {string} name */
const bundled = (name) =>
  new HtmlRspackPlugin({ filename: `${name}.html`, title: name, chunks: [name] })

/**
 * `npm run examples`: pages of other makes with the embed of a running site in them.
 * @type {import('@rspack/core').Configuration}
 */
export default {
  context: import.meta.dirname,
  mode: 'production',
  target: ['web', 'es2022'],
  entry: { react18: './react18.tsx', federated: './federated.tsx' },
  output: { publicPath: '/' },
  resolve: {
    extensions: ['.tsx', '.ts', '.js'],
    alias: { react: 'react-18', 'react-dom': 'react-dom-18' },
  },
  module: {
    rules: [
      {
        test: /\.tsx$/,
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
  plugins: [
    new DefinePlugin({ SITE: JSON.stringify(SITE) }),
    plain('plain'),
    plain('strict'),
    bundled('react18'),
    bundled('federated'),
  ],
  performance: { hints: false },
  stats: 'errors-warnings',
  devServer: {
    // Cookies and partitions must be another site's than `localhost`.
    host: '127.0.0.1',
    port: process.env.PORT ?? 4100,
    static: import.meta.dirname,
    client: false,
    hot: false,
    liveReload: false,
    headers: ({ url }) =>
      url === '/strict.html' ? { 'content-security-policy': STRICT_POLICY } : {},
  },
}
