import { inOrder, remote } from '@anniversary/build'
import { CopyRspackPlugin } from '@rspack/core'
import embed from './embed.rspack.config.js'

const federated = remote({
  dir: import.meta.dirname,
  prerender: ['./MegalivePage'],
  exposes: {
    './MegalivePage': './src/MegalivePage.tsx',
    // For hosts without our host port.
    './mega-live': './src/mega-live.ts',
  },
  stockManifest: true,
  publicFiles: {
    '/megalive-sample.html': 'megalive-sample.html',
    '/embed/mega-live.js': 'embed/mega-live.js',
  },
})

/**
 * The script for foreign pages is the npm package, and part of the remote's version folder.
 * @param {import('@anniversary/build').Env} env
 */
export default (env) => {
  const config = federated(env)
  if (env.RSPACK_SERVE) return config
  return inOrder(embed, {
    ...config,
    name: 'federated',
    plugins: [
      ...config.plugins,
      new CopyRspackPlugin({
        // A second time would undo its escapes (embed.rspack.config.js).
        patterns: [{ from: 'npm/dist/mega-live.js', to: 'embed/', info: { minimized: true } }],
      }),
    ],
  })
}
