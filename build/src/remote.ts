import { existsSync } from 'node:fs'
import path from 'node:path'
import type { RemoteRoutes } from '@anniversary/shared/contract/composition'
import type { PageProps } from '@anniversary/shared/contract/host'
import {
  type Configuration,
  CopyRspackPlugin,
  HtmlRspackPlugin,
  SubresourceIntegrityPlugin,
} from '@rspack/core'
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh'
import type { FunctionComponent } from 'react'
import { type BaseConfig, base, developmentPath, type Env } from './base.ts'
import { buildManifest, filesOf } from './build-manifest.ts'
import { ownChunkLoading } from './chunk-loading.ts'
import { federatedContainer } from './federation.ts'
import { BUILD_HASH, ownNames } from './own-names.ts'
import { identityOf, nameOf, routesIn } from './packages.ts'
import { htmlFiles, prerenderPage } from './prerender.ts'
import { remoteShareTable, sharedRanges } from './share-table.ts'

interface RemoteOptions {
  readonly dir: string
  /** The modules that hosts may load: `{'./LoginPage': './src/LoginPage.tsx'}`. */
  readonly exposes: Readonly<Record<string, string>>
  /** Path from the site's root → file below `public/`, served under a stable name. */
  readonly publicFiles?: Readonly<Record<string, string>>
  /** Exposes whose first render the build makes into HTML, so that it shows before the code is there. */
  readonly prerender?: readonly string[]
}

type RemoteConfig = Configuration & Required<Pick<Configuration, 'plugins'>>

export const remote =
  (options: RemoteOptions) =>
  (env: Env = {}): RemoteConfig => {
    if (!env.RSPACK_SERVE) return production(options)
    return env.site ? inSite(options, env.site) : alone(options)
  }

function production(options: RemoteOptions): RemoteConfig {
  const { dir, exposes, publicFiles, prerender = [] } = options
  const prefix = `${nameOf(dir)}-${BUILD_HASH}`
  const routes = routesOf(options)
  const name = containerOf(prefix)
  const names = ownNames()
  const config = base({ dir, development: false, prefix })
  return {
    ...config,
    entry: {},
    output: { ...config.output, publicPath: 'auto' },
    plugins: [
      container(options, name, 'entry.[contenthash:8].js'),
      new CopyRspackPlugin({ patterns: [{ from: 'public', noErrorOnMissing: true }] }),
      ownChunkLoading,
      names.plugin,
      ...(prerender.length > 0 ? [prerendered(options, config, names.resolve)] : []),
      new SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] }),
      buildManifest((compilation) => ({
        ...identityOf(dir),
        kind: 'remote',
        entry: filesOf(compilation, name).js[0] ?? '',
        container: names.resolve(name),
        exposes: Object.fromEntries(
          Object.keys(exposes).map((expose) => [expose, filesOf(compilation, chunkNameOf(expose))]),
        ),
        routes,
        ...(publicFiles && { publicFiles }),
        ...(prerender.length > 0 && {
          prerendered: Object.fromEntries(prerender.map((expose) => [expose, htmlOf(chunkNameOf(expose))])),
        }),
        shared: sharedRanges(),
      })),
    ],
  }
}

function alone({ dir }: RemoteOptions): RemoteConfig {
  const name = nameOf(dir)
  const config = base({ dir, development: true, refresh: true, prefix: name })
  return {
    ...config,
    entry: { harness: './src/harness.ts' },
    output: { ...config.output, publicPath: 'auto' },
    plugins: [
      new ReactRefreshRspackPlugin(),
      new HtmlRspackPlugin({
        meta: { viewport: 'width=device-width, initial-scale=1' },
        title: name,
        chunks: ['harness'],
      }),
    ],
    devServer: {
      hot: true,
      historyApiFallback: true,
      static: existsSync(path.join(dir, 'public')) ? path.join(dir, 'public') : false,
    },
  }
}

/** The host starts the refresh runtime. Components alone use it: the entry runs before it can take shared modules. */
const REFRESH_BY_HOST = { injectEntry: false, test: /\.tsx$/ }

/** In a site, whose host offers React. That of a deployed one is a production build, which cannot refresh. */
function inSite(options: RemoteOptions, site: NonNullable<Env['site']>): RemoteConfig {
  const { dir } = options
  const name = nameOf(dir)
  const refresh = site === 'development'
  const config = base({ dir, development: true, refresh, prefix: name })
  return {
    ...config,
    name,
    entry: {},
    output: { ...config.output, publicPath: developmentPath(name) },
    optimization: { ...config.optimization, nodeEnv: refresh ? 'development' : 'production' },
    plugins: [
      container(options, containerOf(name), 'entry.js', refresh),
      ...(refresh ? [new ReactRefreshRspackPlugin(REFRESH_BY_HOST)] : []),
    ],
  }
}

function routesOf({ dir, exposes }: RemoteOptions): RemoteRoutes {
  const routes = routesIn(dir)
  for (const [route, { expose }] of Object.entries(routes))
    if (!exposes[expose]) throw new Error(`routes.json: ${route} shows ${expose}, which is not exposed`)
  return routes
}

const prerendered = (
  { dir, exposes, prerender = [] }: RemoteOptions,
  config: BaseConfig,
  resolve: (text: string) => string,
) =>
  htmlFiles<Record<string, { default: FunctionComponent<PageProps> }>>({
    config,
    entry: Object.fromEntries(prerender.map((expose) => [chunkNameOf(expose), exposes[expose] ?? ''])),
    render: (modules) =>
      Object.fromEntries(
        Object.entries(modules).map(([name, page]) => [
          htmlOf(name),
          resolve(prerenderPage(dir, name, page.default)),
        ]),
      ),
  })

const containerOf = (prefix: string): string => prefix.replaceAll('-', '_')

const chunkNameOf = (expose: string): string => expose.slice(2)
const htmlOf = (name: string): string => `${name}.html`

const container = ({ exposes }: RemoteOptions, name: string, filename: string, refresh = false) =>
  federatedContainer({
    name,
    filename,
    shared: remoteShareTable(refresh),
    // Each expose's chunk is named after it, so that the manifest finds its files.
    exposes: Object.fromEntries(
      Object.entries(exposes).map(([expose, file]) => [expose, { import: file, name: chunkNameOf(expose) }]),
    ),
  })
