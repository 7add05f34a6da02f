import path from 'node:path'
import { SOURCE_MAPS } from '@anniversary/shared/contract/composition'
import type { Configuration } from '@rspack/core'

/**
 * The oldest browsers with native <dialog>, cascade layers and constructable
 * style sheets.
 */
const BROWSERS = 'chrome >= 99, edge >= 99, firefox >= 101, safari >= 15.4, ios_saf >= 15.4'

export interface Env {
  readonly RSPACK_SERVE?: boolean
  /** Development: of `npm run dev`. Unset: the remote's harness. */
  readonly site?: 'development' | 'deployed'
}

export const developmentPath = (name: string): string => `/${name}/dev/`

/** Global of the host's refresh runtime in `npm run dev`. */
export const REFRESH_RUNTIME = 'reactRefreshRuntime'

interface BaseOptions {
  readonly dir: string
  readonly development: boolean
  readonly refresh?: boolean
  /** Keeps one package's styles from another's elements. */
  readonly prefix: string
}

const DEVELOPMENT = {
  mode: 'development',
  devtool: 'cheap-module-source-map',
  filename: '[name].js',
  // Hot reload of CSS needs stable names.
  className: '[name]-[local]',
} as const
const PRODUCTION = {
  mode: 'production',
  // `deploy` keeps maps where members cannot read them.
  devtool: 'hidden-nosources-source-map',
  filename: '[name].[contenthash:8].js',
  className: '[hash:base64:5]',
} as const

export type BaseConfig = ReturnType<typeof base>

export function base({ dir, development, refresh = false, prefix }: BaseOptions) {
  const { mode, devtool, filename, className } = development ? DEVELOPMENT : PRODUCTION
  return {
    context: dir,
    mode,
    target: `browserslist:${BROWSERS}`,
    devtool,
    output: {
      path: path.join(dir, 'dist'),
      // Pages request hot updates of earlier builds.
      clean: !development,
      uniqueName: prefix,
      crossOriginLoading: 'anonymous',
      filename,
      assetModuleFilename: '[name].[contenthash:8][ext]',
      ...sourceNames(dir, development),
    },
    resolve: { extensions: ['.tsx', '.ts', '.js'] },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          loader: 'builtin:swc-loader',
          options: {
            jsc: {
              parser: { syntax: 'typescript', tsx: true },
              // Without refresh, the page's React knows no development JSX.
              transform: { react: { runtime: 'automatic', development: refresh, refresh } },
            },
            // Otherwise one bug of Safari 15 rewrites all parameters.
            env: { targets: BROWSERS, bugfixes: true },
          },
        },
        { test: /\.module\.css$/, type: 'css/module' },
        { test: /\.css$/, exclude: /\.module\.css$/, type: 'css' },
        {
          test: /\.(svg|woff2|webp|png)$/,
          oneOf: [
            // As a file, a drawing of the first paint would wait for the
            // styles.
            {
              resourceQuery: /inline/,
              type: 'asset/inline',
              generator: { dataUrl: { encoding: false, mimetype: 'image/svg+xml' } },
            },
            { type: 'asset/resource' },
          ],
        },
      ],
      generator: { 'css/module': { localIdentName: `${prefix}-${className}` } },
      parser: {
        // Custom properties cross packages. Names of grid areas would get a dot
        // in development.
        'css/module': { namedExports: false, dashedIdents: false, grid: false },
      },
    },
    // A broken edit must reach no page.
    optimization: { emitOnErrors: false },
    performance: { hints: false },
    stats: 'errors-warnings',
  } satisfies Configuration
}

function sourceNames(dir: string, development: boolean) {
  // Editors and browsers then open the sources themselves.
  if (development) return { devtoolModuleFilenameTemplate: 'file://[absolute-resource-path]' }
  return {
    sourceMapFilename: `${SOURCE_MAPS}/[file].map`,
    devtoolModuleFilenameTemplate: (module: { absoluteResourcePath: string }) =>
      sourcePath(dir, module.absoluteResourcePath),
  }
}

const TOOLCHAIN = path.dirname(import.meta.dirname)

/** Paths in maps are the same in every checkout. */
function sourcePath(dir: string, file: string): string {
  if (!path.isAbsolute(file)) return file
  const inToolchain = path.relative(TOOLCHAIN, file)
  const isOfPackage = inToolchain.startsWith('..')
  const inPackage = path.relative(path.dirname(dir), file)
  const own = isOfPackage ? inPackage : path.join('build', inToolchain)
  return own.replaceAll(path.sep, '/').replace(/^.*\/(?=node_modules\/)/, '')
}
