import { mapsFolder } from '@anniversary/deploy/site/version-folders'
import type { Target } from '@anniversary/deploy/target/target'
import { SourceMapConsumer } from 'source-map-js'

/** A place in a source file, whose path begins with its package's folder; or in a published file that has no map. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

export const placeText = ({ file, line, column }: Place): string => `${file}:${line}:${column}`

/** A frame of a reported stack (shared/contract/report): function, path, line, column. */
const FRAME = /^(\S+) (\S+):(\d+):(\d+)$/

/** Translates frames of reported stacks into places in the sources. Reads each map once. */
export function placesInSources(target: Target) {
  const maps = new Map<string, Promise<SourceMapConsumer | null>>()
  const read = async (path: string) => {
    const bytes = await target.read(path)
    return bytes && new SourceMapConsumer(JSON.parse(bytes.toString()))
  }
  return async (name: string, version: string, frame: string): Promise<Place | null> => {
    const [, , path = '', line, column] = FRAME.exec(frame) ?? []
    if (!path) return null
    const published = { file: path, line: Number(line), column: Number(column) }
    // `/mf-x/<version or shared folder>/<file>`. A frame of another package finds no map of this one.
    const [, owner, file] = /^\/([^/]+)\/[^/]+\/(.+)$/.exec(path) ?? []
    if (owner !== name || !file) return published
    const at = `${mapsFolder(name, version)}/${file}.map`
    try {
      const map = await (maps.get(at) ?? maps.set(at, read(at)).get(at))
      // Columns of stacks count from 1, those of maps from 0.
      const found = map?.originalPositionFor({ line: published.line, column: published.column - 1 })
      return found?.source
        ? { file: found.source, line: found.line, column: found.column + 1 }
        : published
    } catch {
      // Anybody can report any place, and a team may publish any map.
      return published
    }
  }
}
