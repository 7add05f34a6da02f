import { STOCK_MANIFEST } from '@anniversary/shared/contract/composition'
import { Compilation, sources } from '@rspack/core'
import { atCompilationStage } from './at-stage.ts'
import { chunkNameOf, sharedVersions } from './federation.ts'

interface Container {
  readonly name: string
  readonly container: string
  readonly entry: string
  readonly exposes: Readonly<
    Record<string, { readonly js: readonly string[]; readonly css: readonly string[] }>
  >
  readonly shared: Readonly<Record<string, string>>
}

/** All versions share this folder, beside the manifest's public address. */
const FOLDER = 'immutable/'
const inFolder = (files: readonly string[]) => ({
  sync: files.map((file) => FOLDER + file),
  async: [],
})
const NO_FILES = { js: inFolder([]), css: inFolder([]) }

/** Foreign hosts and tools find a remote's current build by it. */
export const stockManifest = (describe: (compilation: Compilation) => Container) =>
  atCompilationStage(
    'manifest of upstream',
    Compilation.PROCESS_ASSETS_STAGE_REPORT,
    (compilation) => {
      const { name, container, entry, exposes, shared } = describe(compilation)
      const manifest = {
        id: name,
        name,
        metaData: {
          name,
          type: 'app',
          globalName: container,
          // The package's version would make builds of the same sources differ.
          buildInfo: { buildVersion: container, buildName: name },
          // Resolved from the manifest's own address.
          publicPath: 'auto',
          remoteEntry: { name: entry, path: FOLDER, type: 'global' },
          types: { path: '', name: '', zip: '', api: '' },
        },
        shared: Object.entries(shared).map(([module, requiredVersion]) => ({
          id: `${name}:${module}`,
          name: module,
          version: sharedVersions()[module] ?? '',
          singleton: true,
          requiredVersion,
          assets: NO_FILES,
        })),
        remotes: [],
        exposes: Object.entries(exposes).map(([path, { js, css }]) => ({
          id: `${name}:${chunkNameOf(path)}`,
          name: chunkNameOf(path),
          path,
          assets: { js: inFolder(js), css: inFolder(css) },
        })),
      }
      compilation.emitAsset(STOCK_MANIFEST, new sources.RawSource(JSON.stringify(manifest)))
    },
  )
