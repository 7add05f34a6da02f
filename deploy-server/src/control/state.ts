import { versionInSite } from '@anniversary/deploy/site/compose'
import { readRecord, type SiteRecord } from '@anniversary/deploy/site/record'
import type { Target } from '@anniversary/deploy/target/target'
import { readSiteStatus } from '@anniversary/deploy/verbs/status'
import { errorMessage } from '@anniversary/shared/error-message'
import { type ErrorGroup, groupPageErrors, readPageErrors } from '../reports/page-errors.ts'
import {
  type ReleaseAlert,
  readReleaseAlerts,
  readVersionViews,
  type VersionViews,
} from '../reports/page-views.ts'

export interface ControlState {
  readonly site: string
  readonly at: string
  readonly live: SiteRecord
  /** Newest first, from the live one on. */
  readonly records: readonly SiteRecord[]
  readonly warnings: readonly string[]
  readonly health: Answered<ReleaseHealth>
  readonly errors: Answered<readonly ErrorGroup[]>
}

interface ReleaseHealth {
  /** Views of the last `HEALTH_HOURS`. */
  readonly views: readonly VersionViews[]
  readonly alerts: readonly ReleaseAlert[]
}

/** The page must open when the other server is down. */
type Answered<T> = { readonly answer: T } | { readonly problem: string }

export const HEALTH_HOURS = 24
const OLDER_RECORDS = 12
const ERROR_GROUPS = 8

export async function readControlState(target: Target): Promise<ControlState> {
  const at = new Date().toISOString()
  const { record: live, warnings } = await readSiteStatus(target)
  const [older, health, errors] = await Promise.all([
    readOlderRecords(target, live.number),
    answered(readReleaseHealth()),
    answered(readErrorGroups(target)),
  ])
  return { site: target.url, at, live, records: [live, ...older], warnings, health, errors }
}

export function hasEarlierVersion({ live, records }: ControlState, name: string): boolean {
  if (records.at(-1)?.number !== 1) return true
  return records.some((record) => versionInSite(record, name) !== versionInSite(live, name))
}

async function readOlderRecords(target: Target, live: number): Promise<SiteRecord[]> {
  const numbers = Array.from({ length: OLDER_RECORDS }, (_, n) => live - n - 1)
  const reading = numbers.filter((number) => number > 0).map((number) => readRecord(target, number))
  return (await Promise.all(reading)).filter((record) => record !== null)
}

async function readReleaseHealth(): Promise<ReleaseHealth> {
  const [views, alerts] = await Promise.all([readVersionViews(HEALTH_HOURS), readReleaseAlerts()])
  return { views, alerts }
}

async function readErrorGroups(target: Target): Promise<readonly ErrorGroup[]> {
  const groups = await groupPageErrors(target, await readPageErrors(HEALTH_HOURS))
  return groups.slice(0, ERROR_GROUPS)
}

async function answered<T>(asking: Promise<T>): Promise<Answered<T>> {
  try {
    return { answer: await asking }
  } catch (error) {
    return { problem: errorMessage(error) }
  }
}
