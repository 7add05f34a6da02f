import type { PublicConfig } from '@anniversary/shared/contract/config'
import {
  errorsSchema,
  type RemoteError,
  type VersionCounts,
  viewCountsSchema,
} from '@anniversary/shared/contract/report'
import { z } from 'zod'
import { UsageError } from '../rejected.ts'

export interface ReportSource {
  /** `https://event.example/api/reports`; undefined: it is not known. */
  readonly url: string | undefined
  /** Absent: the API answers calls from its own machine without one. */
  readonly key?: string | undefined
}

/**
 * Where to read a site's reports: as given, else `DEPLOY_REPORTS`, else where the site's pages report to, unless the
 * configuration has only a path of it.
 * @param given on the command line
 */
export function reportSource({ reportUrl, eventUrl }: PublicConfig, given?: string): ReportSource {
  const isWhole = reportUrl !== undefined && URL.canParse(reportUrl, eventUrl)
  const own = isWhole ? new URL(reportUrl, eventUrl).href : undefined
  return { url: given ?? process.env.DEPLOY_REPORTS ?? own, key: process.env.DEPLOY_REPORTS_KEY }
}

interface Asked {
  readonly remote?: string | undefined
  readonly route?: string | undefined
  /** ISO 8601; of views, whole hours count. */
  readonly since: string
}

export const hoursBefore = (time: Date, hours: number): string =>
  new Date(time.getTime() - hours * 3_600_000).toISOString()

export const readViews = (source: ReportSource, asked: Asked): Promise<VersionCounts[]> =>
  ask(source, 'views', asked, viewCountsSchema)

export const readErrors = (source: ReportSource, asked: Asked): Promise<RemoteError[]> =>
  ask(source, 'errors', asked, errorsSchema)

const TIMEOUT_MS = 10_000

async function ask<T>(
  { url, key }: ReportSource,
  what: string,
  asked: Asked,
  data: z.ZodType<T>,
): Promise<T> {
  if (url === undefined)
    throw new UsageError(
      'Where does the API keep reports? Name it by --reports https://…/api/reports or in DEPLOY_REPORTS.',
    )
  const address = new URL(`${url.replace(/\/$/, '')}/${what}`)
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined) address.searchParams.set(name, String(value))
  const response = await fetch(address, {
    headers: key ? { authorization: `Bearer ${key}` } : {},
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new Error(`${address} does not answer: ${cause}`, { cause })
  })
  if (response.status === 401)
    throw new Error(`${address} wants a key: set DEPLOY_REPORTS_KEY to the API's service key`)
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  return z.object({ data }).parse(await response.json()).data
}
