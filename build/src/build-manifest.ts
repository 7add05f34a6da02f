import { createHash } from 'node:crypto'
import {
  type Build,
  type HostBuild,
  type RemoteBuild,
  SOURCE_MAPS,
} from '@anniversary/shared/contract/composition'
import { Compilation, sources } from '@rspack/core'
import { atCompilationStage } from './at-stage.ts'

type Description = (Omit<HostBuild, 'files'> | Omit<RemoteBuild, 'files'>) &
  Partial<Pick<Build, 'files'>>

/** Writes `build.json` (shared/contract/composition) without source maps. */
export const buildManifest = (describe: (compilation: Compilation) => Description) =>
  atCompilationStage('build manifest', Compilation.PROCESS_ASSETS_STAGE_REPORT, (compilation) => {
    const described = describe(compilation)
    const files = Object.fromEntries(
      compilation
        .getAssets()
        .filter(({ name }) => !name.startsWith(`${SOURCE_MAPS}/`))
        // Rspack's order varies.
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, source, info }) => [name, fingerprintFile(source.buffer(), info.immutable)]),
    )
    const build = { ...described, files: { ...files, ...described.files } } satisfies Build
    compilation.emitAsset('build.json', new sources.RawSource(JSON.stringify(build, null, 2)))
  })

/** @param immutable the name holds a hash of the content */
export const fingerprintFile = (bytes: Buffer, immutable = false): Build['files'][string] => ({
  integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
  bytes: bytes.length,
  ...(immutable && { immutable }),
})

export function outputFilesOf(
  compilation: Compilation,
  chunkName: string,
): { js: string[]; css: string[] } {
  const group = compilation.namedChunkGroups.get(chunkName)
  if (!group)
    throw new Error(
      `no chunk is named ${chunkName}: check the route table and the chunk names in import()`,
    )
  const files = group.getFiles()
  return {
    js: files.filter((file) => file.endsWith('.js')),
    css: files.filter((file) => file.endsWith('.css')),
  }
}
