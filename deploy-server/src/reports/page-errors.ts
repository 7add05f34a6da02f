import { UsageError } from '@anniversary/deploy/rejected'
import type { Target } from '@anniversary/deploy/target/target'
import { errorsSchema, type RemoteError } from '@anniversary/shared/contract/report'
import { z } from 'zod'
import { requestJson } from './ask-json.ts'
import { type Place, placesInSources, placeText } from './source-places.ts'

const HOUR_MS = 3_600_000
/** As many as a page sends. */
const MOST_FRAMES = 10

/**
 * Sends the key to no other address, in particular none of a site's
 * configuration.
 * @param remote undefined: all packages
 */
export async function readPageErrors(hours: number, remote?: string): Promise<RemoteError[]> {
  const { DEPLOY_REPORTS: url = '', DEPLOY_REPORTS_KEY: key } = process.env
  if (!URL.canParse(url))
    throw new UsageError(
      'Where does the API keep reports? Set DEPLOY_REPORTS to https://…/api/reports: here, or where the deploy server runs.',
    )

  const address = new URL(`${url.replace(/\/$/, '')}/errors`)
  address.searchParams.set('since', new Date(Date.now() - hours * HOUR_MS).toISOString())
  if (remote) address.searchParams.set('remote', remote)

  const { data } = await requestJson({
    address,
    headers: key ? { authorization: `Bearer ${key}` } : {},
    schema: z.object({ data: errorsSchema }),
    advice: {
      unauthorized: "set DEPLOY_REPORTS_KEY to the API's REPORTS_KEY",
      otherAnswer: 'is DEPLOY_REPORTS https://…/api/reports?',
    },
  })
  return data
}

export interface ErrorGroup extends Omit<RemoteError, 'version' | 'stack' | 'route'> {
  readonly versions: readonly string[]
  readonly routes: readonly string[]
  readonly places: readonly Place[]
}

/** Groups by message and place in the sources, the most frequent first. */
export async function groupPageErrors(
  target: Target,
  errors: readonly RemoteError[],
): Promise<ErrorGroup[]> {
  const findPlace = placesInSources(target)
  const groups = new Map<string, ErrorGroup>()

  for (const { version, stack, route, ...error } of errors) {
    const { remote, phase, message } = error
    const frames = stack.split('\n', MOST_FRAMES)
    const found = frames.map((frame) => findPlace(remote, version, frame))
    const places = (await Promise.all(found)).filter((place) => place !== null)
    const first = places[0] && placeText(places[0])
    const key = [remote, phase, message, first].join('\n')

    const group = groups.get(key)
    const own = { ...error, versions: [version], routes: [route], places }
    groups.set(key, group ? mergeGroups(group, own) : own)
  }

  return [...groups.values()].sort((a, b) => b.count - a.count)
}

function mergeGroups(group: ErrorGroup, added: ErrorGroup): ErrorGroup {
  const times = [group.firstAt, group.lastAt, added.firstAt, added.lastAt].sort()
  return {
    ...group,
    count: group.count + added.count,
    versions: [...new Set([...group.versions, ...added.versions])],
    routes: [...new Set([...group.routes, ...added.routes])],
    firstAt: times[0] ?? group.firstAt,
    lastAt: times[3] ?? group.lastAt,
  }
}
