import { setTimeout as sleep } from 'node:timers/promises'
import { readRecord, type SiteRecord } from '@anniversary/deploy/site/record'
import type { Target } from '@anniversary/deploy/target/target'
import { packagesToRollBack } from '@anniversary/deploy/verbs/rollback'
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
  /** Names of the packages that a rollback would change. */
  readonly rollbacks: Answered<readonly string[]>
  /** Views of the last `HEALTH_HOURS`. */
  readonly views: Answered<readonly VersionViews[]>
  readonly alerts: Answered<readonly ReleaseAlert[]>
  readonly errors: Answered<readonly ErrorGroup[]>
}

/** The page must open when the other server is down or slow. */
type Answered<T> = { readonly answer: T } | { readonly problem: string }

export const HEALTH_HOURS = 24
const OLDER_RECORDS = 12
const FREQUENT_ERRORS = 4
const NEW_ERRORS = 4
const TIMEOUT_MS = 3000

export async function readControlState(target: Target): Promise<ControlState> {
  const at = new Date().toISOString()
  const { record: live, warnings } = await readSiteStatus(target)
  const [older, rollbacks, views, alerts, errors] = await Promise.all([
    readOlderRecords(target, live.number),
    answered('Rollbacks', packagesToRollBack(target, live)),
    answered('Views', readVersionViews(HEALTH_HOURS)),
    answered('Alerts', readReleaseAlerts()),
    answered('Errors', readErrorGroups(target)),
  ])
  const records = [live, ...older]
  return { site: target.url, at, live, records, warnings, rollbacks, views, alerts, errors }
}

/** True where the history was not read in time: the rollback itself looks. */
export const mayRollBack = ({ rollbacks }: ControlState, name: string): boolean =>
  'problem' in rollbacks || rollbacks.answer.includes(name)

async function readOlderRecords(target: Target, live: number): Promise<SiteRecord[]> {
  const numbers = Array.from({ length: OLDER_RECORDS }, (_, n) => live - n - 1)
  const reading = numbers.filter((number) => number > 0).map((number) => readRecord(target, number))
  return (await Promise.all(reading)).filter((record) => record !== null)
}

/** Errors of a release that was just published are not frequent yet. */
async function readErrorGroups(target: Target): Promise<readonly ErrorGroup[]> {
  const groups = await groupPageErrors(target, await readPageErrors(HEALTH_HOURS))
  const rest = groups.slice(FREQUENT_ERRORS)
  const newest = rest.sort((a, b) => b.firstAt.localeCompare(a.firstAt))
  return [...groups.slice(0, FREQUENT_ERRORS), ...newest.slice(0, NEW_ERRORS)]
}

async function answered<T>(what: string, asking: Promise<T>): Promise<Answered<T>> {
  const problem = `${what} did not come within ${TIMEOUT_MS / 1000} s.`
  const late = sleep(TIMEOUT_MS, { problem }, { ref: false })
  try {
    return await Promise.race([asking.then((answer) => ({ answer })), late])
  } catch (error) {
    return { problem: errorMessage(error) }
  }
}
