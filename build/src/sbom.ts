import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library'
import { Compilation, type Module, sources } from '@rspack/core'
import { atStage } from './at-stage.ts'
import { identityOf, readManifest } from './packages.ts'

const FILE = 'sbom.cdx.json'

/**
 * Writes what others' packages are in the build, for who looks for a vulnerable one (CycloneDX 1.6). By the modules in
 * its chunks, so what is only installed, or comes from the host, is not there. Without a time or a serial number: the
 * same sources give the same bytes.
 */
export const sbom = () =>
  atStage('sbom', Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL, (compilation) => {
    const files = [...compilation.chunks]
      .flatMap((chunk) => [...compilation.chunkGraph.getChunkModules(chunk)])
      .flatMap(filesOf)
    const { name, version } = identityOf(compilation.compiler.context)
    const component = new Models.Component(Enums.ComponentType.Application, name, { version, bomRef: name })
    const bom = new Models.Bom({ metadata: new Models.Metadata({ component }) })
    for (const folder of new Set(files.flatMap((file) => packageFolderOf(file) ?? [])))
      bom.components.add(componentOf(folder))
    const normalizer = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
    const text = new Serialize.JsonSerializer(normalizer).serialize(bom, { sortLists: true, space: 2 })
    compilation.emitAsset(FILE, new sources.RawSource(text))
  })

/** Files of a module, and of those that were joined into it. */
const filesOf = (module: Module): string[] => [
  module.nameForCondition() ?? '',
  ...('modules' in module ? (module.modules as Module[]).flatMap(filesOf) : []), // a ConcatenatedModule's
]

/** Folder of the installed package that a file belongs to. */
const packageFolderOf = (file: string): string | undefined =>
  /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0]

function componentOf(folder: string): Models.Component {
  const { name, version, license } = readManifest(folder)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  // The library's own references are random.
  const component = new Models.Component(Enums.ComponentType.Library, name, { version, purl, bomRef: purl })
  if (license)
    component.licenses.add(
      SPDX.isSupportedSpdxId(license) ? new Models.SpdxLicense(license) : new Models.NamedLicense(license),
    )
  return component
}
