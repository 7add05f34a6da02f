import { base } from '@anniversary/build'
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack'
import { CopyRspackPlugin, HtmlRspackPlugin } from '@rspack/core'
import { CAMPAIGN_FILES, REMOTES } from './pages.js'

const config = base({ dir: import.meta.dirname, development: false, prefix: 'stock' })
const containerOf = (remote) => remote.replaceAll('-', '_')

const AXIOS_AT_ONCE = { test: /client\/create-client\.ts$/, parser: { dynamicImportMode: 'eager' } }

/**
 * The same host and remotes with the plugin and the runtime of `@module-federation/enhanced`. The tuned variant follows the
 * documentation of upstream where that makes it faster: the host holds React eagerly, the only copies of React and of the
 * runtime are the host's (`import: false`, `externalRuntime`), and the runtime is built for browsers alone.
 */
export function stock(name, isTuned) {
  const shared = (options) =>
    Object.fromEntries(['react', 'react-dom'].map((key) => [key, options]))
  const experiments = (options) => (isTuned ? { ...options, optimization: { target: 'web' } } : {})
  const build = (folder, publicPath, options) => ({
    ...config,
    name: `${name}${publicPath}`,
    output: { ...config.output, path: `${import.meta.dirname}/dist/${name}${folder}`, publicPath },
    devtool: false,
    ...options,
  })
  const host = build('', '/', {
    entry: { main: isTuned ? './stock-tuned.tsx' : './stock.ts' },
    // The host that is not tuned imports axios with the rest of its code.
    module: isTuned
      ? config.module
      : { ...config.module, rules: [...config.module.rules, AXIOS_AT_ONCE] },
    plugins: [
      new ModuleFederationPlugin({
        name: 'host',
        remotes: Object.fromEntries(
          Object.keys(REMOTES).map((remote) => [
            containerOf(remote),
            `${containerOf(remote)}@/${remote}/mf-manifest.json`,
          ]),
        ),
        shared: shared({ singleton: true, eager: isTuned }),
        // By default the host requests the entries of all remotes before it starts.
        ...(isTuned && { shareStrategy: 'loaded-first' }),
        experiments: experiments({ provideExternalRuntime: true }),
        dts: false,
        manifest: false,
      }),
      new CopyRspackPlugin({ patterns: [CAMPAIGN_FILES] }),
      new HtmlRspackPlugin({
        title: 'Anniversary',
        meta: { viewport: 'width=device-width, initial-scale=1' },
        templateContent:
          '<!doctype html><html lang="vi"><head></head><body><div id="root"></div></body></html>',
      }),
    ],
  })
  const remotes = Object.entries(REMOTES).map(([remote, pages]) =>
    build(`/${remote}`, `/${remote}/`, {
      entry: {},
      dependencies: [host.name],
      plugins: [
        new ModuleFederationPlugin({
          name: containerOf(remote),
          filename: 'remoteEntry.js',
          exposes: Object.fromEntries(
            Object.entries(pages).map(([page, file]) => [`./${page}`, file]),
          ),
          shared: shared({ singleton: true, ...(isTuned && { import: false }) }),
          experiments: experiments({ externalRuntime: true }),
          dts: false,
          manifest: true,
        }),
      ],
    }),
  )
  return [host, ...remotes]
}
