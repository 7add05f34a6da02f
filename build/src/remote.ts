import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { type RemoteRoutes, STOCK_MANIFEST } from '@anniversary/shared/contract/composition'
import type { PageProps } from '@anniversary/shared/contract/host'
import { pagePolicyFrom } from '@anniversary/shared/contract/page-policy'
import {
  type Compilation,
  type Configuration,
  CopyRspackPlugin,
  HtmlRspackPlugin,
  SubresourceIntegrityPlugin,
} from '@rspack/core'
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh'
import type { FunctionComponent } from 'react'
import { base, developmentPath, type Env, REFRESH_RUNTIME } from './base.ts'
import { buildManifest, outputFilesOf } from './build-manifest.ts'
import { ownChunkLoading } from './chunk-loading.ts'
import { developmentPolicy } from './dev/in-site.ts'
import { limitEntrySize, limitPageSizes } from './entry-size.ts'
import { chunkNameOf, federatedContainer, sharedRanges } from './federation.ts'
import { BUILD_HASH, ownNames } from './own-names.ts'
import { identityOf, packageNameOf, routesIn, trustedTypesIn } from './packages.ts'
import { htmlFiles, prerenderPage } from './prerender.ts'
import { stockManifest } from './stock-manifest.ts'

interface RemoteOptions {
  readonly dir: string
  /** `{'./LoginPage': './src/LoginPage.tsx'}` */
  readonly exposes: Readonly<Record<string, string>>
  /** Path at the site's root → file below `public/` */
  readonly publicFiles?: Readonly<Record<string, string>>
  readonly prerender?: readonly string[]
  /** Publishes `/NAME/mf-manifest.json` for foreign hosts. */
  readonly stockManifest?: true
}

type RemoteConfig = Configuration & Required<Pick<Configuration, 'plugins'>>

export const remote =
  (options: RemoteOptions) =>
  (env: Env = {}): RemoteConfig => {
    if (!env.RSPACK_SERVE) return production(options)
    if (!env.site) return alone(options)
    return inSite(options, env.site)
  }

function production(options: RemoteOptions): RemoteConfig {
  requirePublicFilesListed(options)
  const { dir, exposes, publicFiles, prerender = [] } = options
  const prefix = `${packageNameOf(dir)}-${BUILD_HASH}`
  const routes = routesOf(options)
  const trustedTypes = trustedTypesIn(dir)
  const name = containerOf(prefix)
  const names = ownNames()
  const config = base({ dir, development: false, prefix })
  const html = htmlFiles<Record<string, { default: FunctionComponent<PageProps> }>>({
    config,
    entry: Object.fromEntries(
      prerender.map((expose) => [chunkNameOf(expose), exposes[expose] ?? '']),
    ),
    render: (modules) =>
      Object.fromEntries(
        Object.entries(modules).map(([page, { default: Page }]) => [
          htmlOf(page),
          names.resolve(prerenderPage(dir, page, Page)),
        ]),
      ),
  })
  const entryOf = (compilation: Compilation) => outputFilesOf(compilation, name).js[0] ?? ''
  const describe = (compilation: Compilation) => ({
    ...identityOf(dir),
    entry: entryOf(compilation),
    container: names.resolve(name),
    exposes: Object.fromEntries(
      Object.keys(exposes).map((expose) => [
        expose,
        outputFilesOf(compilation, chunkNameOf(expose)),
      ]),
    ),
    shared: sharedRanges(),
  })
  return {
    ...config,
    entry: {},
    plugins: [
      federatedContainer({ name, filename: 'entry.[contenthash:8].js', exposes }),
      new CopyRspackPlugin({ patterns: [{ from: 'public', noErrorOnMissing: true }] }),
      ownChunkLoading('ofRemote'),
      names.plugin,
      prerender.length > 0 && html,
      new SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] }),
      limitEntrySize(entryOf),
      limitPageSizes((compilation) =>
        Object.fromEntries(
          Object.keys(exposes).map((expose) => [
            expose,
            [entryOf(compilation), ...outputFilesOf(compilation, chunkNameOf(expose)).js],
          ]),
        ),
      ),
      options.stockManifest && stockManifest(describe),
      buildManifest((compilation) => ({
        ...describe(compilation),
        kind: 'remote',
        routes,
        publicFiles: {
          ...publicFiles,
          ...(options.stockManifest && {
            [`/${packageNameOf(dir)}/${STOCK_MANIFEST}`]: STOCK_MANIFEST,
          }),
        },
        prerendered: Object.fromEntries(
          prerender.map((expose) => [expose, htmlOf(chunkNameOf(expose))]),
        ),
        ...(trustedTypes.length > 0 && { trustedTypes: [...trustedTypes] }),
      })),
    ],
  }
}

function alone({ dir }: RemoteOptions): RemoteConfig {
  const name = packageNameOf(dir)
  const config = base({ dir, development: true, refresh: true, prefix: name })
  const policy = pagePolicyFrom({
    trustedTypes: trustedTypesIn(dir),
    // The embed's scenarios frame other sites.
    frames: ["'self'", 'https:'],
  })
  return {
    ...config,
    entry: { harness: './src/harness.ts' },
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
      static: path.join(dir, 'public'),
      headers: { 'content-security-policy': developmentPolicy(policy) },
    },
  }
}

/** The entry runs before it can take shared modules. */
const REFRESH_BY_HOST = { injectEntry: false, test: /\.tsx$/ }

/** The React of a deployed site is a production build, which cannot refresh. */
function inSite({ dir, exposes }: RemoteOptions, site: NonNullable<Env['site']>): RemoteConfig {
  const name = packageNameOf(dir)
  const refresh = site === 'development'
  const config = base({ dir, development: true, refresh, prefix: name })
  return {
    ...config,
    name,
    entry: {},
    ...(refresh && { externals: { 'react-refresh/runtime': REFRESH_RUNTIME } }),
    output: { ...config.output, publicPath: developmentPath(name) },
    optimization: { ...config.optimization, nodeEnv: refresh ? 'development' : 'production' },
    plugins: [
      federatedContainer({ name: containerOf(name), filename: 'entry.js', exposes }),
      refresh && new ReactRefreshRspackPlugin(REFRESH_BY_HOST),
    ],
  }
}

function routesOf({ dir, exposes }: RemoteOptions): RemoteRoutes {
  const routes = routesIn(dir)
  for (const [route, { expose }] of Object.entries(routes))
    if (!exposes[expose])
      throw new Error(`routes.json: ${route} shows ${expose}, which is not exposed`)
  return routes
}

/** The harness and `npm run dev` serve the whole folder. */
function requirePublicFilesListed({ dir, publicFiles = {} }: RemoteOptions): void {
  const folder = path.join(dir, 'public')
  if (!existsSync(folder)) return
  const listed = Object.values(publicFiles).map((file) => path.join(folder, file))
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    // Such as `.DS_Store`.
    const isHidden = entry.name.startsWith('.')
    if (entry.isFile() && !isHidden && !listed.includes(file))
      throw new Error(
        `${path.relative(dir, file)} would be served in development only: name it in publicFiles of rspack.config.js, or remove it`,
      )
  }
}

const htmlOf = (page: string) => `${page}.html`
const containerOf = (prefix: string) => prefix.replaceAll('-', '_')
