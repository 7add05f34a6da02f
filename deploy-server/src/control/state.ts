import { readRecord, type SiteRecord } from '@anniversary/deploy/site/record'
import type { Target } from '@anniversary/deploy/target/target'
import { readStatus } from '@anniversary/deploy/verbs/status'
import type { VersionCounts } from '@anniversary/shared/contract/report'
import { errorMessage } from '@anniversary/shared/error-message'
import {
  type ErrorGroup,
  groupErrors,
  hoursBefore,
  readErrors,
  readViews,
} from '../reports/report-source.ts'

export interface ControlState {
  readonly site: string
  readonly at: string
  readonly live: SiteRecord
  /** The newest first, beginning with the live one. */
  readonly records: readonly SiteRecord[]
  /** About a freeze, and about pages that show an older composition. */
  readonly warnings: readonly string[]
  readonly health: Health
}

export interface Health {
  readonly problem?: string
  readonly day: readonly VersionCounts[]
  readonly recent: readonly VersionCounts[]
  readonly errors: readonly ErrorGroup[]
}

const OLDER = 12
export const HOURS = 24
export const RECENT_HOURS = 2
const ERRORS = 8

export async function controlState(target: Target): Promise<ControlState> {
  const now = new Date()
  const { record: live, warnings } = await readStatus(target)
  const numbers = Array.from({ length: OLDER }, (_, n) => live.number - n - 1).filter(
    (number) => number > 0,
  )
  const [older, health] = await Promise.all([
    Promise.all(numbers.map((number) => readRecord(target, number))),
    healthOf(target, now),
  ])
  const records = [live, ...older.filter((record) => record !== null)]
  return { site: target.url, at: now.toISOString(), live, records, warnings, health }
}

/** Does not throw: the page must open when the API is down. */
async function healthOf(target: Target, now: Date): Promise<Health> {
  try {
    const [day, recent, errors] = await Promise.all([
      readViews({ since: hoursBefore(now, HOURS) }),
      readViews({ since: hoursBefore(now, RECENT_HOURS) }),
      readErrors({ since: hoursBefore(now, HOURS) }),
    ])
    return { day, recent, errors: (await groupErrors(target, errors)).slice(0, ERRORS) }
  } catch (error) {
    return { day: [], recent: [], errors: [], problem: errorMessage(error) }
  }
}
