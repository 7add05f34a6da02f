import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HostBuild, Route } from '@anniversary/shared/contract/composition'
import { CALENDAR_FILE } from '@anniversary/shared/contract/paths'
import { SKELETONS } from '@anniversary/shared/contract/routes'
import { renderDrawCalendar } from '@anniversary/shared/draw-calendar'
import { type Configuration, CopyRspackPlugin, SubresourceIntegrityPlugin } from '@rspack/core'
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh'
import { type BaseConfig, base, developmentPath, type Env, REFRESH_RUNTIME } from './base.ts'
import { buildManifest, fingerprintFile, outputFilesOf } from './build-manifest.ts'
import { ownChunkLoading } from './chunk-loading.ts'
import { sharedVersions } from './federation.ts'
import { inOrder } from './in-order.ts'
import { identityOf, packageNameOf } from './packages.ts'
import { htmlFiles } from './prerender.ts'

const CAMPAIGN_FILES = path.dirname(
  fileURLToPath(import.meta.resolve('@anniversary/shared/campaign/public/icon.svg')),
)
const EVENT_FILE = path.join(CAMPAIGN_FILES, '../event.json')
const SITE_FILES = { card: 'link-card.jpg', icon: 'icon.svg', touchIcon: 'touch-icon.png' }

/** Browsers ask for the icon unnamed, and the web manifest names its icons. */
const PUBLIC_FILES = Object.fromEntries(
  ['favicon.ico', 'icon.svg', 'robots.txt', 'site.webmanifest', 'touch-icon.png'].map((name) => [
    `/${name}`,
    name,
  ]),
)
const CALENDAR_NAME = CALENDAR_FILE.slice(1)

type SitePage = NonNullable<HostBuild['page']>

interface HostOptions {
  readonly dir: string
  readonly routes: Readonly<Record<string, Route>>
  readonly site: Required<Pick<SitePage, 'name' | 'description' | 'cardAlt' | 'themeColor'>>
}

export const host =
  (options: HostOptions) =>
  (env: Env = {}): Configuration[] => {
    if (env.site === 'development') return development(options.dir)
    return production(options)
  }

const core = (config: BaseConfig) => ({
  ...config,
  name: 'core',
  entry: { first: './src/first-load/first-script.ts', core: './src/loader/core.ts' },
})

/** React announces itself only to a page's first refresh runtime. */
const SHARE_REFRESH = `data:text/javascript,import runtime from 'react-refresh/runtime'; globalThis.${REFRESH_RUNTIME} = runtime`

function development(dir: string): Configuration[] {
  const name = packageNameOf(dir)
  const scripts = (refresh: boolean, uniqueName: string) => {
    const config = base({ dir, development: true, refresh, prefix: name })
    return {
      ...config,
      output: { ...config.output, uniqueName, publicPath: developmentPath(name) },
    }
  }
  return [
    // Its dev client shows the errors of all builds.
    {
      ...scripts(true, name),
      name: 'main',
      entry: { main: [SHARE_REFRESH, './src/main.tsx'] },
      plugins: [new ReactRefreshRspackPlugin()],
    },
    core(scripts(false, `${name}-core`)),
  ]
}

function production({ dir, routes, site }: HostOptions): Configuration[] {
  const config = base({ dir, development: false, prefix: packageNameOf(dir) })
  const { path: folder } = config.output
  const skeletons = htmlFiles<{ skeletons: { renderSkeletons(): Record<string, string> } }>({
    config,
    entry: { skeletons: './src/first-load/skeletons.tsx' },
    render: ({ skeletons: { renderSkeletons } }) =>
      Object.fromEntries(
        Object.entries(renderSkeletons()).map(([key, html]) => [skeletonFile(key), html]),
      ),
  })
  const main = {
    ...config,
    name: 'main',
    entry: { main: './src/main.tsx' },
    output: { ...config.output, clean: false },
    optimization: {
      splitChunks: {
        chunks: 'initial',
        cacheGroups: {
          // Stays in members' caches when the shell changes.
          vendor: {
            test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/,
            name: 'vendor',
          },
        },
      },
    },
    plugins: [
      ownChunkLoading('ofHost'),
      new CopyRspackPlugin({
        patterns: [
          { from: 'public' },
          { from: CAMPAIGN_FILES },
          { from: EVENT_FILE, to: CALENDAR_NAME, transform: renderDrawCalendar },
        ],
      }),
      skeletons,
      new SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] }),
      buildManifest((compilation) => {
        const { js, css } = outputFilesOf(compilation, 'main')
        const [first, loader] = [scriptIn(folder, 'first'), scriptIn(folder, 'core')]
        return {
          ...identityOf(dir),
          kind: 'host',
          page: {
            ...site,
            ...SITE_FILES,
            skeletons: Object.fromEntries(
              [...Object.keys(routes), ...SKELETONS].map((key) => [key, skeletonFile(key)]),
            ),
          },
          firstScript: first.name,
          entry: { js: [loader.name, ...js], css },
          publicFiles: { ...PUBLIC_FILES, [CALENDAR_FILE]: CALENDAR_NAME },
          routes,
          routeAssets: { '/': outputFilesOf(compilation, 'landing') },
          client: outputFilesOf(compilation, 'axios'),
          shared: sharedVersions(),
          files: { [first.name]: first.file, [loader.name]: loader.file },
        }
      }),
    ],
  } satisfies Configuration
  return inOrder(core(config), main)
}

function scriptIn(folder: string, entry: string) {
  const name = readdirSync(folder).find(
    (file) => file.startsWith(`${entry}.`) && file.endsWith('.js'),
  )
  if (!name) throw new Error(`the ${entry} script is not in ${folder}`)
  return { name, file: fingerprintFile(readFileSync(path.join(folder, name)), true) }
}

/** @param key path of a screen, or kind of skeleton */
const skeletonFile = (key: string) => `skeleton-${key.replaceAll('/', '') || 'landing'}.html`
