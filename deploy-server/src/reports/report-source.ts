import { UsageError } from '@anniversary/deploy/rejected'
import type { Target } from '@anniversary/deploy/target/target'
import {
  errorsSchema,
  type RemoteError,
  type VersionCounts,
  viewCountsSchema,
} from '@anniversary/shared/contract/report'
import { z } from 'zod'
import { type Place, placesInSources, placeText } from './source-maps.ts'

interface Asked {
  readonly remote?: string | undefined
  readonly route?: string | undefined
  /** ISO 8601; of views, whole hours count. */
  readonly since: string
}

export const hoursBefore = (time: Date, hours: number): string =>
  new Date(time.getTime() - hours * 3_600_000).toISOString()

export const readViews = (asked: Asked): Promise<VersionCounts[]> =>
  ask('views', asked, viewCountsSchema)

export const readErrors = (asked: Asked): Promise<RemoteError[]> =>
  ask('errors', asked, errorsSchema)

const TIMEOUT_MS = 10_000

/** Asks the API at `DEPLOY_REPORTS`. The key is sent to no other address, in particular to none of a site's configuration. */
async function ask<T>(what: string, asked: Asked, data: z.ZodType<T>): Promise<T> {
  const { DEPLOY_REPORTS: url = '', DEPLOY_REPORTS_KEY: key } = process.env
  if (!URL.canParse(url))
    throw new UsageError(
      'Where does the API keep reports? Set DEPLOY_REPORTS to https://…/api/reports: here, or where the deploy server runs.',
    )
  const address = new URL(`${url.replace(/\/$/, '')}/${what}`)
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined) address.searchParams.set(name, value)
  const response = await fetch(address, {
    headers: key ? { authorization: `Bearer ${key}` } : {},
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  }).catch((cause: unknown) => {
    throw new Error(`${address} does not answer: ${cause}`, { cause })
  })
  if (response.status === 401)
    throw new Error(`${address} requires a key: set DEPLOY_REPORTS_KEY to the API's REPORTS_KEY`)
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  const answer = response
    .text()
    .then((text) => z.object({ data }).parse(JSON.parse(text, plain)).data)
  return await answer.catch((cause: unknown) => {
    throw new Error(`${address} gave no reports: is DEPLOY_REPORTS https://…/api/reports?`, {
      cause,
    })
  })
}

/** Anybody can report anything: removes what could steer a terminal, or look like lines of its own outside a stack. */
const plain = (key: string, value: unknown): unknown =>
  typeof value === 'string'
    ? value.replace(key === 'stack' ? /(?!\n)\p{Cc}/gu : /\p{Cc}/gu, '�')
    : value

/** One error, whose reports may come from several versions with different minified stacks. */
export interface ErrorGroup extends Omit<RemoteError, 'version' | 'stack' | 'route'> {
  readonly versions: readonly string[]
  readonly routes: readonly string[]
  readonly places: readonly Place[]
}

export async function groupErrors(
  target: Target,
  errors: readonly RemoteError[],
): Promise<ErrorGroup[]> {
  const placeOf = placesInSources(target)
  const groups = new Map<string, ErrorGroup>()
  for (const { version, stack, route, ...error } of errors) {
    const { remote, phase, message } = error
    const places = (
      await Promise.all(stack.split('\n').map((frame) => placeOf(remote, version, frame)))
    ).filter((place) => place !== null)
    const key = [remote, phase, message, places[0] && placeText(places[0])].join('\n')
    const before = groups.get(key) ?? { ...error, count: 0, versions: [], routes: [], places }
    groups.set(key, {
      ...before,
      count: before.count + error.count,
      versions: [...new Set([...before.versions, version])],
      routes: [...new Set([...before.routes, route])],
      firstAt: [before.firstAt, error.firstAt].sort()[0] ?? error.firstAt,
      lastAt: [before.lastAt, error.lastAt].sort()[1] ?? error.lastAt,
    })
  }
  return [...groups.values()].sort((a, b) => b.count - a.count)
}
