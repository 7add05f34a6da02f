import type { VersionCounts } from '@anniversary/shared/contract/report'
import { z } from 'zod'
import { ago } from '../facts.ts'
import type { SiteState } from '../site/record.ts'
import { jsonBytes, readAll, type Target } from '../target/target.ts'
import { type Comparison, comparisonSchema } from './comparison.ts'

/** How a set of canaries is to grow, and its last judgement. Not in the records, because most judgements change no share. */
const planSchema = z.object({
  remotes: z.record(z.string(), comparisonSchema.extend({ version: z.string(), current: z.string() })),
  /** Shares in percent, rising to 100: for everyone. */
  steps: z.array(z.number()).readonly(),
  percent: z.number(),
  every: z.number(),
  views: z.number(),
  /** ISO 8601, as all times here. Views are counted from this hour on. */
  since: z.string(),
  stepAt: z.string(),
  judgedAt: z.string(),
})
export type Plan = z.infer<typeof planSchema>
export type Step = Pick<Plan, 'steps' | 'views' | 'percent'>

const FOLDER = '.deploy/canaries'
const pathOf = ({ remotes }: Plan): string => `${FOLDER}/${Object.keys(remotes).sort().join('+')}.json`
export const writePlan = (target: Target, plan: Plan): Promise<void> =>
  target.write(pathOf(plan), jsonBytes(plan))
export const removePlan = (target: Target, plan: Plan): Promise<void> => target.remove(pathOf(plan))

export const allPlans = (target: Target): Promise<Plan[]> => readAll(target, FOLDER, planSchema)

/** Plans of canaries that nobody has taken over. */
export const plansOf = async (target: Target, site: SiteState): Promise<Plan[]> =>
  (await allPlans(target)).filter((plan) => fits(site, plan))

/** Whether nobody has changed the canaries, or what they are compared with, since the plan was written. */
export const fits = (site: SiteState, { remotes, percent }: Plan): boolean =>
  Object.entries(remotes).every(([name, { version, current }]) => {
    const remote = site.remotes[name]
    const { canary } = remote ?? {}
    return (
      remote?.current.version === current && canary?.release.version === version && canary.percent === percent
    )
  })

/** The next share of canaries without harm; null: one of them needs more views first. */
export function nextStep({ steps, views, percent }: Step, canaries: readonly Comparison[]): number | null {
  const isEnough = ({ stepViews, holds }: Comparison) =>
    !holds && Math.min(stepViews.canary, stepViews.current) >= views
  return canaries.every(isEnough) ? (steps.find((step) => step > percent) ?? 100) : null
}

export const holdOf = ({ remotes }: Plan): string | undefined =>
  Object.entries(remotes).flatMap(([name, { holds }]) => (holds ? [`${name}: ${holds}`] : []))[0]

export function planText(
  name: string,
  { remotes, steps, percent, views, judgedAt }: Plan,
  now = new Date(),
): string {
  const { canary = 0, current = 0 } = remotes[name]?.stepViews ?? {}
  const next = steps.filter((step) => step > percent).join(', ')
  return `the canary goes on to ${next} %, judged ${ago(judgedAt, now)}: ${canary} views of it, ${current} of the current version; a step takes ${views} of each`
}

const SILENT = 180_000

export function planProblem(plan: Plan, now = new Date()): string | undefined {
  if (now.getTime() - Date.parse(plan.judgedAt) > SILENT)
    return 'Nobody has judged it for minutes, so it stays as it is: is the deploy server running?'
  const hold = holdOf(plan)
  return hold && `the canary holds at ${plan.percent} %: ${hold}`
}

/** @param day views of the last day; undefined: nobody counts them. @returns what these steps take at least */
export function needsText(
  { steps, views }: Pick<Plan, 'steps' | 'views'>,
  names: readonly string[],
  day?: readonly VersionCounts[],
): string {
  const needed = steps
    .filter((step) => step > 0 && step < 100)
    .reduce((sum, step) => sum + Math.ceil((views * 100) / Math.min(step, 100 - step)), 0)
  if (needed === 0) return 'needs no views'
  if (!day) return `needs ${needed} views of each page`
  const seenOf = (name: string) =>
    day.filter(({ remote }) => remote === name).reduce((sum, one) => sum + one.views, 0)
  const [name = ''] = names.toSorted((a, b) => seenOf(a) - seenOf(b))
  const seen = seenOf(name)
  const time = seen > 0 ? `${(needed / seen).toFixed(1)} days like the last` : 'the last day had none'
  return `needs ${needed} views of ${name}: ${time}`
}
