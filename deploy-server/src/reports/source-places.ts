import { MAPS_FOLDER, mapsFolder } from '@anniversary/deploy/site/version-folders'
import type { Target } from '@anniversary/deploy/target/target'
import { SourceMapConsumer } from 'source-map-js'

/**
 * The path begins with the package's folder, or is of a published file without
 * a map.
 */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

export const placeText = ({ file, line, column }: Place): string => `${file}:${line}:${column}`

/**
 * Function, path, line and column of a reported frame (shared/contract/report).
 */
const FRAME = /^(\S+) (\S+):(\d+):(\d+)$/
/** `/mf-x/<version or shared folder>/<file>` */
const PUBLISHED_PATH = /^\/([^/]+)\/[^/]+\/(.+)$/

/** Reads each map once, and none that a report invents. */
export function placesInSources(target: Target) {
  const maps = new Map<string, Promise<SourceMapConsumer | null>>()
  let stored: Promise<Set<string>> | undefined

  async function readMap(path: string): Promise<SourceMapConsumer | null> {
    stored ??= target.list(MAPS_FOLDER).then((paths) => new Set(paths))
    if (!(await stored).has(path)) return null
    const bytes = await target.read(path)
    return bytes && new SourceMapConsumer(JSON.parse(bytes.toString()))
  }

  return async (name: string, version: string, frame: string): Promise<Place | null> => {
    const [, , path, line, column] = FRAME.exec(frame) ?? []
    if (!path) return null
    const published = { file: path, line: Number(line), column: Number(column) }

    // A frame of another package finds no map of this one.
    const [, owner, file] = PUBLISHED_PATH.exec(path) ?? []
    if (owner !== name) return published

    const mapPath = `${mapsFolder(name, version)}/${file}.map`
    const reading = maps.get(mapPath) ?? readMap(mapPath)
    maps.set(mapPath, reading)
    // Anybody can report any place, and a team may publish any map.
    return await reading.then((map) => placeIn(map, published)).catch(() => published)
  }
}

/** Columns of stacks count from 1, those of maps from 0. */
function placeIn(map: SourceMapConsumer | null, published: Place): Place {
  const { line, column } = published
  const found = map?.originalPositionFor({ line, column: column - 1 })
  if (!found?.source) return published
  return { file: found.source, line: found.line, column: found.column + 1 }
}
