import { createHash } from 'node:crypto'
import { Compilation, sources } from '@rspack/core'
import { atCompilationStage } from './at-stage.ts'

/** Placeholder as long as the text that replaces it. */
export const BUILD_HASH = 'q7bldq7'

/**
 * Two versions on one page must share nothing.
 * @returns the plugin, and `resolve`, which works once the assets are processed
 */
export function ownNames() {
  let hash = ''
  const resolve = (text: string) => text.replaceAll(BUILD_HASH, hash)
  /** Equal lengths keep the map's positions right. */
  const renamed = (name: string, source: sources.Source): sources.Source => {
    const { source: text, map } = source.sourceAndMap()
    const resolved = resolve(String(text))
    if (!map) return new sources.RawSource(resolved)
    return new sources.SourceMapSource(resolved, name, map)
  }
  // After minification, before files are hashed.
  const stage = Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1
  const plugin = atCompilationStage('own names', stage, (compilation) => {
    const texts = compilation
      .getAssets()
      .filter(({ name }) => /\.(js|css)$/.test(name))
      .map(({ name, source }) => [name, source.source().toString()] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const digest = createHash('sha256').update(JSON.stringify(texts)).digest('hex')
    hash = `x${digest.slice(0, BUILD_HASH.length - 1)}`
    for (const [name, text] of texts)
      if (text.includes(BUILD_HASH))
        compilation.updateAsset(name, (source) => renamed(name, source))
  })
  return { plugin, resolve }
}
