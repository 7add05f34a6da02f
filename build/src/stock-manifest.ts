import { STOCK_MANIFEST } from '@anniversary/shared/contract/composition'
import { Compilation, sources } from '@rspack/core'
import { atStage } from './at-stage.ts'

interface Container {
  /** Name of the package. */
  readonly name: string
  readonly version: string
  readonly container: string
  readonly entry: string
  readonly exposes: Readonly<
    Record<string, { readonly js: readonly string[]; readonly css: readonly string[] }>
  >
  readonly shared: Readonly<Record<string, string>>
}

/** Hashed files are in the folder that all versions of a package share, beside the manifest's public address. */
const FOLDER = 'immutable/'
const inFolder = (files: readonly string[]) => ({
  sync: files.map((file) => FOLDER + file),
  async: [],
})
const NO_FILES = { js: inFolder([]), css: inFolder([]) }

/** Writes the manifest of upstream's runtime, so that hosts and tools which are not ours find a remote's current build. */
export const stockManifest = (describe: (compilation: Compilation) => Container) =>
  atStage('manifest of upstream', Compilation.PROCESS_ASSETS_STAGE_REPORT, (compilation) => {
    const { name, version, container, entry, exposes, shared } = describe(compilation)
    const manifest = {
      id: name,
      name,
      metaData: {
        name,
        type: 'app',
        globalName: container,
        buildInfo: { buildVersion: version, buildName: name },
        // From the manifest's own address.
        publicPath: 'auto',
        remoteEntry: { name: entry, path: FOLDER, type: 'global' },
        types: { path: '', name: '', zip: '', api: '' },
      },
      shared: Object.entries(shared).map(([module, requiredVersion]) => ({
        id: `${name}:${module}`,
        name: module,
        version: '',
        singleton: true,
        requiredVersion,
        assets: NO_FILES,
      })),
      remotes: [],
      exposes: Object.entries(exposes).map(([path, { js, css }]) => ({
        id: `${name}:${path.slice(2)}`,
        name: path.slice(2),
        path,
        assets: { js: inFolder(js), css: inFolder(css) },
      })),
    }
    compilation.emitAsset(STOCK_MANIFEST, new sources.RawSource(JSON.stringify(manifest)))
  })
