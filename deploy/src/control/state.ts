import { errorMessage } from '@anniversary/shared/error-message'
import { type Plan, readPlans } from '../canary/plan.ts'
import { type ErrorGroup, groupErrors } from '../reports/group-errors.ts'
import { type ReportSource, readErrors, readFigures } from '../reports/report-source.ts'
import { type VersionHealth, versionHealth } from '../reports/version-health.ts'
import { versionIn } from '../site/compose.ts'
import { allPreviews, type Preview } from '../site/preview.ts'
import { newestRecord, readRecord, requireSite, type SiteRecord } from '../site/record.ts'
import { HOST_NAME } from '../site/version-folders.ts'
import type { Target } from '../target/target.ts'
import { type Difference, differencesOf } from '../verbs/diff.ts'

/** What the control page shows. Times are ISO 8601. */
export interface ControlState {
  /** Address of the site's folder or bucket. */
  readonly site: string
  readonly at: string
  /** Of the composition that is live. */
  readonly number: number
  /** The newest first. */
  readonly history: readonly Step[]
  readonly packages: readonly PackageState[]
  readonly previews: readonly Pick<Preview, 'link' | 'until' | 'by' | 'shown'>[]
  readonly feel: Feel
}

export interface Step extends Pick<SiteRecord, 'number' | 'createdAt' | 'change'> {
  /** From the composition before; absent: that one was pruned, or this is the first. */
  readonly differences?: readonly Difference[]
}

export interface PackageState {
  readonly name: string
  readonly version: string
  /** That it replaced. */
  readonly previous?: string | undefined
  readonly status: 'on' | 'off'
  /** What brought this version; absent: it is older than the history here. */
  readonly since?: Step | undefined
  /** With how far its judge has come, where it has one. */
  readonly canary?: { readonly version: string; readonly percent: number; readonly plan?: Plan | undefined }
}

/** What members feel, or why that is not known. */
export interface Feel {
  readonly problem?: string
  /** Of the last `HOURS`. */
  readonly versions: readonly VersionHealth[]
  /** The same for each hour, the oldest first. */
  readonly hours: readonly VersionHealth[]
  readonly errors: readonly ErrorGroup[]
}

/** Compositions that are shown. */
const STEPS = 12
/** Of figures. */
export const HOURS = 24
const ERRORS = 8

/**
 * Reads all that the control page shows.
 * @param source null: nobody says where the API keeps reports
 * @throws Rejected when nothing was ever published
 */
export async function controlState(target: Target, source: ReportSource | null): Promise<ControlState> {
  const site = requireSite(await newestRecord(target))
  // One more than is shown, to compare the last with.
  const numbers = Array.from({ length: STEPS }, (_, n) => site.number - n - 1).filter((number) => number > 0)
  const [older, previews, plans, feel] = await Promise.all([
    Promise.all(numbers.map((number) => readRecord(target, number))),
    allPreviews(target),
    readPlans(target, site),
    feelOf(target, source),
  ])
  const chain = [site, ...older]
  const known = chain.filter((record) => record !== null)
  const at = new Date().toISOString()
  return {
    site: target.url,
    at,
    number: site.number,
    history: chain.slice(0, STEPS).flatMap((record, n) => (record ? stepOf(record, chain[n + 1]) : [])),
    packages: [HOST_NAME, ...Object.keys(site.remotes)].map((name) =>
      packageState(name, site, known, plans[name]),
    ),
    previews: previews.filter(({ until }) => until > at),
    feel,
  }
}

function stepOf(record: SiteRecord, before: SiteRecord | null | undefined): Step {
  const { number, createdAt, change } = record
  return { number, createdAt, change, ...(before && { differences: differencesOf(before, record) }) }
}

/** @param records the newest first */
function packageState(
  name: string,
  site: SiteRecord,
  records: readonly SiteRecord[],
  plan: Plan | undefined,
): PackageState {
  const version = versionIn(site, name) ?? ''
  const other = records.findIndex((record) => versionIn(record, name) !== version)
  const { status = 'on', previous, canary } = site.remotes[name] ?? {}
  return {
    name,
    version,
    previous: previous?.version,
    status,
    since: other > 0 ? records[other - 1] : records.find(({ number }) => number === 1),
    ...(canary && { canary: { version: canary.release.version, percent: canary.percent, plan } }),
  }
}

/** A page that could not be opened when the API is down would be of no use at night. */
async function feelOf(target: Target, source: ReportSource | null): Promise<Feel> {
  const nothing = { versions: [], hours: [], errors: [] }
  if (!source) return { ...nothing, problem: 'Nobody says where the API keeps reports: set DEPLOY_REPORTS.' }
  try {
    const [versions, hours, errors] = await Promise.all([
      readFigures(source, { hours: HOURS }),
      readFigures(source, { hours: HOURS, each: 'hour' }),
      readErrors(source, { hours: HOURS }),
    ])
    return {
      versions: versions.map(versionHealth),
      hours: hours.map(versionHealth).sort((a, b) => a.firstHour.localeCompare(b.firstHour)),
      errors: (await groupErrors(target, errors)).slice(0, ERRORS),
    }
  } catch (error) {
    return { ...nothing, problem: errorMessage(error) }
  }
}
