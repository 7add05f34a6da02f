import type { Estimate } from '@anniversary/shared/contract/figures'
import { errorMessage } from '@anniversary/shared/error-message'
import type { Judgement } from '../canary/comparison.ts'
import { type ErrorGroup, groupErrors } from '../reports/group-errors.ts'
import { type ReportSource, readErrors, readFigures } from '../reports/report-source.ts'
import { type VersionHealth, versionHealth } from '../reports/version-health.ts'
import { versionIn } from '../site/compose.ts'
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
  readonly packages: readonly PackageState[]
  /** The newest first. */
  readonly history: readonly Step[]
  /** For which `feel` is known. */
  readonly hours: number
  readonly feel: Feel
}

export interface PackageState {
  readonly name: string
  readonly version: string
  readonly status: 'on' | 'off'
  /** What brought this version; absent: it is older than the history here. */
  readonly since?: Pick<Step, 'number' | 'at' | 'by'>
  readonly canary?: { readonly version: string; readonly percent: number }
}

export interface Step {
  readonly number: number
  readonly at: string
  readonly by: string
  readonly verb: string
  readonly summary: string
  readonly packages: readonly string[]
  /** Figures of the judge of a canary. */
  readonly judgement?: Judgement
  /** From the composition before; absent: that one was pruned, or this is the first. */
  readonly differences?: readonly Difference[]
}

/** What members feel, or why that is not known. */
export interface Feel {
  readonly problem?: string
  readonly versions: readonly (VersionHealth & { readonly remote: string })[]
  readonly hours: readonly HourOfVersion[]
  readonly errors: readonly ErrorGroup[]
}

export interface HourOfVersion {
  readonly remote: string
  readonly version: string
  readonly hour: string
  readonly views: number
  readonly errorRate: Estimate | null
  /** 75th percentile in milliseconds. */
  readonly lcp: Estimate | null
}

/** Compositions that are shown. */
const STEPS = 12
/** Of figures. */
const HOURS = 24
const ERRORS = 8

/**
 * Reads all that the control page shows.
 * @param source null: nobody says where the API keeps reports
 * @throws Rejected when nothing was ever published
 */
export async function controlState(target: Target, source: ReportSource | null): Promise<ControlState> {
  const site = requireSite(await newestRecord(target))
  // One more than is shown, to compare the last with.
  const numbers = Array.from({ length: STEPS + 1 }, (_, n) => site.number - n).filter((number) => number > 0)
  const [records, feel] = await Promise.all([
    Promise.all(numbers.map((number) => readRecord(target, number))),
    feelOf(target, source),
  ])
  const known = records.slice(0, STEPS).filter((record) => record !== null)
  return {
    site: target.url,
    at: new Date().toISOString(),
    number: site.number,
    packages: [HOST_NAME, ...Object.keys(site.remotes)].map((name) => packageState(name, site, known)),
    history: known.map((record) => stepOf(record, records[site.number - record.number + 1] ?? null)),
    hours: HOURS,
    feel,
  }
}

function packageState(name: string, site: SiteRecord, records: readonly SiteRecord[]): PackageState {
  const version = versionIn(site, name) ?? ''
  const other = records.findIndex((record) => versionIn(record, name) !== version)
  const first = other > 0 ? records[other - 1] : records.find(({ number }) => number === 1)
  const { status = 'on', canary } = site.remotes[name] ?? {}
  return {
    name,
    version,
    status,
    ...(first && { since: { number: first.number, at: first.createdAt, by: first.change.by } }),
    ...(canary && { canary: { version: canary.release.version, percent: canary.percent } }),
  }
}

function stepOf(record: SiteRecord, before: SiteRecord | null): Step {
  const { number, createdAt, change } = record
  const { by, verb, summary, packages, judgement } = change
  const differences = before && differencesOf(before, record)
  const step = { number, at: createdAt, by, verb, summary, packages }
  return { ...step, ...(judgement && { judgement }), ...(differences && { differences }) }
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
      versions: versions.map((figures) => ({ remote: figures.remote, ...versionHealth(figures) })),
      hours: hours
        .map((figures) => {
          const { views, errorRate, p75 } = versionHealth(figures)
          const { remote, version, firstHour } = figures
          return { remote, version, hour: firstHour, views, errorRate, lcp: p75.lcp ?? null }
        })
        .sort((a, b) => a.hour.localeCompare(b.hour)),
      errors: (await groupErrors(target, errors)).slice(0, ERRORS),
    }
  } catch (error) {
    return { ...nothing, problem: errorMessage(error) }
  }
}
