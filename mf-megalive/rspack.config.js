import { remote } from '@anniversary/build'
import { CopyRspackPlugin } from '@rspack/core'
import embed from './embed.rspack.config.js'
import npmPackage from './npm/rspack.config.js'

const federated = remote({
  dir: import.meta.dirname,
  prerender: ['./MegalivePage'],
  exposes: {
    './MegalivePage': './src/MegalivePage.tsx',
    // For hosts without our host port: the embed alone as a React component.
    './MegaLive': './src/MegaLive.tsx',
  },
  ranges: { react: '^18.2.0 || ^19.0.0', 'react-dom': '^18.2.0 || ^19.0.0' },
  publicFiles: {
    '/megalive-sample.html': 'megalive-sample.html',
    '/embed/mega-live.js': 'embed/mega-live.js',
    '/embed/preview.html': 'embed/preview.html',
    '/embed/preview.css': 'embed/preview.css',
    '/embed/preview.js': 'embed/preview.js',
  },
})

/**
 * Builds the script for foreign pages first. It is part of the npm package, and of the remote's own version folder.
 * @param {import('@anniversary/build').Env} env
 */
export default (env) => {
  const config = federated(env)
  if (env.RSPACK_SERVE) {
    // The sample is framed without an origin, so its files look asked for by another site, which the server refuses.
    return { ...config, devServer: { ...config.devServer, allowedHosts: 'all' } }
  }
  return [
    embed,
    npmPackage,
    {
      ...config,
      name: 'federated',
      dependencies: [embed.name],
      plugins: [
        ...config.plugins,
        new CopyRspackPlugin({
          // Minimized: a second time would turn its escapes back into letters (see embed.rspack.config.js).
          patterns: [{ from: embed.output.path, to: 'embed/', info: { minimized: true } }],
        }),
      ],
    },
  ]
}
