import type { RemoteError } from '@anniversary/shared/contract/report'
import { type Place, placesInSources, placeText } from '../site/source-maps.ts'
import type { Target } from '../target/target.ts'

/** One error, whose reports may come from several versions with different minified stacks. */
export interface ErrorGroup
  extends Pick<RemoteError, 'remote' | 'phase' | 'message' | 'count' | 'firstAt' | 'lastAt'> {
  readonly versions: readonly string[]
  readonly routes: readonly string[]
  /** The stack as places in the sources, the innermost first. Empty: the browser reported none. */
  readonly places: readonly Place[]
}

export async function groupErrors(target: Target, errors: readonly RemoteError[]): Promise<ErrorGroup[]> {
  const placeOf = placesInSources(target)
  const groups = new Map<string, ErrorGroup>()
  for (const { remote, version, phase, message, stack, route, count, firstAt, lastAt } of errors) {
    const places = (
      await Promise.all(stack.split('\n').map((frame) => placeOf(remote, version, frame)))
    ).filter((place) => place !== null)
    const key = [remote, phase, message, places[0] && placeText(places[0])].join('\n')
    const before = groups.get(key)
    groups.set(key, {
      remote,
      phase,
      message,
      count: count + (before?.count ?? 0),
      versions: [...new Set([...(before?.versions ?? []), version])],
      routes: [...new Set([...(before?.routes ?? []), route])],
      firstAt: [firstAt, before?.firstAt ?? firstAt].sort()[0] ?? firstAt,
      lastAt: [lastAt, before?.lastAt ?? lastAt].sort()[1] ?? lastAt,
      places,
    })
  }
  return [...groups.values()].sort((a, b) => b.count - a.count)
}
