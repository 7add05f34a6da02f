import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { STOCK_MANIFEST } from '@anniversary/shared/contract/composition'
import { Compilation, sources } from '@rspack/core'
import AdmZip from 'adm-zip'
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
  /** `./mega-live` has `mega-live.d.ts` in this folder. */
  readonly types: string
}

/** All versions share this folder, beside the manifest's public address. */
const FOLDER = 'immutable/'
const inFolder = (files: readonly string[]) => ({
  sync: files.map((file) => FOLDER + file),
  async: [],
})
const NO_FILES = { js: inFolder([]), css: inFolder([]) }

/** Upstream's name in types, which hosts replace. */
const ALIAS = 'REMOTE_ALIAS_IDENTIFIER'

/** Upstream's plugin unpacks these. */
function packTypes(folder: string, exposes: readonly string[]) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts'))
    .sort()
  const zip = new AdmZip()
  for (const file of files) {
    zip.addFile(file, readFileSync(join(folder, file)))
    const entry = zip.getEntry(file)
    // The same sources must give the same bytes.
    if (entry) entry.header.time = new Date(1980, 0, 1)
  }

  const typed = exposes.filter((expose) => files.includes(`${chunkNameOf(expose)}.d.ts`))
  if (typed.length === 0) throw new Error(`${folder} has no types of ${exposes.join(', ')}`)
  const modules = typed.map((expose) => `'${ALIAS}/${chunkNameOf(expose)}'`)
  const choices = modules.map((module) => `T extends ${module} ? typeof import(${module}) : `)
  const api = `export type RemoteKeys = ${modules.join(' | ')}
export type PackageType<T> = ${choices.join('')}any
`
  return { zip: zip.toBuffer(), api: Buffer.from(api) }
}

/** @returns the path from the manifest's public address */
function emitHashed(compilation: Compilation, ending: string, bytes: Buffer): string {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
  const name = `types.${hash}.${ending}`
  compilation.emitAsset(name, new sources.RawSource(bytes), { immutable: true })
  return FOLDER + name
}

/** Foreign hosts and tools find a remote's current build by it. */
export const stockManifest = (describe: (compilation: Compilation) => Container) =>
  atCompilationStage(
    'manifest of upstream',
    Compilation.PROCESS_ASSETS_STAGE_REPORT,
    (compilation) => {
      const { name, container, entry, exposes, shared, types } = describe(compilation)
      const { zip, api } = packTypes(types, Object.keys(exposes))
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
          types: {
            path: '',
            name: '',
            zip: emitHashed(compilation, 'zip', zip),
            api: emitHashed(compilation, 'd.ts', api),
          },
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
