import { isSilent, type Plan } from './canary/plan.ts'

/*
 * How the command line and the control page write figures, times and plans.
 */

export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`

export const milliseconds = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`

/** `1.0.0-0123456789ab` with the first half of its hash, which tells versions apart. */
export const shortVersion = (version: string): string => version.replace(/(-[0-9a-f]{6})[0-9a-f]{6}$/, '$1')

/** @param iso a time, ISO 8601 */
export function ago(iso: string, now: Date): string {
  const minutes = Math.round((now.getTime() - Date.parse(iso)) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`
  return `${Math.round(minutes / 1440)} days ago`
}

/** How far a judge of a canary has come. */
export function planText(plan: Plan, now: Date): string {
  const { canary, current } = plan.comparison.stepViews
  const next = plan.steps.filter((step) => step > plan.percent).join(', ')
  return `the canary goes on to ${next} %, judged ${ago(plan.judgedAt, now)}: ${canary} views of it, ${current} of the current version; a step takes ${plan.views} of each`
}

/** Absent: the judge comes as it should. */
export const silenceText = (name: string, plan: Plan, now: Date): string | undefined =>
  isSilent(plan, now)
    ? `Nobody has judged it since, so it stays as it is: deploy canary ${name} --judge`
    : undefined
