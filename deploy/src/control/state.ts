import type { VersionCounts } from '@anniversary/shared/contract/report'
import { errorMessage } from '@anniversary/shared/error-message'
import { type Plan, plansOf } from '../canary/plan.ts'
import { type ErrorGroup, groupErrors, hoursBefore, readErrors, readViews } from '../reports/report-source.ts'
import { currentSite, readRecord, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'

export interface ControlState {
  readonly site: string
  readonly at: string
  readonly live: SiteRecord
  /** The newest first, what is live among them. Pruned ones are missing. */
  readonly records: readonly SiteRecord[]
  readonly plans: readonly Plan[]
  readonly feel: Feel
}

export interface Feel {
  readonly problem?: string
  readonly day: readonly VersionCounts[]
  readonly lately: readonly VersionCounts[]
  readonly errors: readonly ErrorGroup[]
}

const OLDER = 12
export const HOURS = 24
export const LATELY_HOURS = 2
const ERRORS = 8

export async function controlState(target: Target): Promise<ControlState> {
  const now = new Date()
  const live = await currentSite(target)
  const numbers = Array.from({ length: OLDER }, (_, n) => live.number - n - 1).filter((number) => number > 0)
  const [older, plans, feel] = await Promise.all([
    Promise.all(numbers.map((number) => readRecord(target, number))),
    plansOf(target, live),
    feelOf(target, live, now),
  ])
  const at = now.toISOString()
  return {
    site: target.url,
    at,
    live,
    records: [live, ...older.filter((record) => record !== null)],
    plans,
    feel,
  }
}

/** Does not throw: the page must open when the API is down. */
async function feelOf(target: Target, { config }: SiteRecord, now: Date): Promise<Feel> {
  try {
    const [day, lately, errors] = await Promise.all([
      readViews(config, { since: hoursBefore(now, HOURS) }),
      readViews(config, { since: hoursBefore(now, LATELY_HOURS) }),
      readErrors(config, { since: hoursBefore(now, HOURS) }),
    ])
    return { day, lately, errors: (await groupErrors(target, errors)).slice(0, ERRORS) }
  } catch (error) {
    return { day: [], lately: [], errors: [], problem: errorMessage(error) }
  }
}
