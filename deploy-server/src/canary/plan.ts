import { ago } from '@anniversary/deploy/cli/text'
import type { SiteRecord } from '@anniversary/deploy/site/record'
import { jsonBytes, readAll, type Target } from '@anniversary/deploy/target/target'
import type { VersionCounts } from '@anniversary/shared/contract/report'
import { z } from 'zod'
import { comparisonSchema, type Step } from './comparison.ts'

/** How a canary grows, and its last comparison. Not in the records, because most comparisons change no share. */
const planSchema = z.object({
  remote: z.string(),
  version: z.string(),
  /** Version that it is compared with. */
  current: z.string(),
  comparison: comparisonSchema,
  /** Shares in percent, rising to 100: for everyone. */
  steps: z.array(z.number()).readonly(),
  percent: z.number(),
  /** Milliseconds that a step takes at least. */
  every: z.number(),
  views: z.number(),
  /** ISO 8601, as all times here. Views are counted from this hour on. */
  since: z.string(),
  stepAt: z.string(),
  comparedAt: z.string(),
})
export type Plan = z.infer<typeof planSchema>

const FOLDER = '.deploy/canaries'
const pathOf = ({ remote }: Plan): string => `${FOLDER}/${remote}.json`
export const writePlan = (target: Target, plan: Plan): Promise<void> =>
  target.write(pathOf(plan), jsonBytes(plan))
export const removePlan = (target: Target, plan: Plan): Promise<void> => target.remove(pathOf(plan))

export const allPlans = (target: Target): Promise<Plan[]> => readAll(target, FOLDER, planSchema)

/** Returns the plans of canaries that nobody has changed by hand since. */
export const plansOf = async (target: Target, site: SiteRecord): Promise<Plan[]> =>
  (await allPlans(target)).filter((plan) => fits(site, plan))

/** Whether nobody has changed the canary, or what it is compared with, since the plan was written. */
export function fits(
  { remotes }: SiteRecord,
  { remote: name, version, current, percent }: Plan,
): boolean {
  const remote = remotes[name]
  const { canary } = remote ?? {}
  return (
    remote?.current.version === current &&
    canary?.release.version === version &&
    canary.percent === percent
  )
}

/** Returns the next share of a canary without harm; null when it needs more views first. */
export function nextStep({
  comparison,
  steps,
  views,
  percent,
}: Pick<Plan, 'comparison'> & Step): number | null {
  const { stepViews, holds } = comparison
  if (holds || Math.min(stepViews.canary, stepViews.current) < views) return null
  return steps.find((step) => step > percent) ?? 100
}

export function planText(
  { comparison, steps, percent, views, comparedAt }: Plan,
  now = new Date(),
): string {
  const { canary, current } = comparison.stepViews
  const next = steps.filter((step) => step > percent).join(', ')
  return `the canary goes on to ${next} %, compared ${ago(comparedAt, now)}: ${canary} views of it, ${current} of the current version; a step takes ${views} of each`
}

const SILENT_MS = 180_000

export function planProblem(
  { comparison, percent, comparedAt }: Plan,
  now = new Date(),
): string | undefined {
  if (now.getTime() - Date.parse(comparedAt) > SILENT_MS)
    return 'Nobody has compared it for minutes, so it stays as it is: is the deploy server running?'
  return comparison.holds && `the canary holds at ${percent} %: ${comparison.holds}`
}

/** Returns the views that these steps need, and how many days like the last that takes. @param day views of the last day */
export function needsText(
  { steps, views, remote }: Pick<Plan, 'steps' | 'views' | 'remote'>,
  day: readonly VersionCounts[],
): string {
  const needed = steps
    .filter((step) => step > 0 && step < 100)
    .reduce((sum, step) => sum + Math.ceil((views * 100) / Math.min(step, 100 - step)), 0)
  if (needed === 0) return 'needs no views'
  const seen = day.filter((one) => one.remote === remote).reduce((sum, one) => sum + one.views, 0)
  const time =
    seen > 0 ? `${(needed / seen).toFixed(1)} days like the last` : 'the last day had none'
  return `needs ${needed} views of ${remote}: ${time}`
}
