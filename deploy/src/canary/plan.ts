import { z } from 'zod'
import { ago } from '../format.ts'
import type { SiteRecord } from '../site/record.ts'
import { jsonBytes, readJson, type Target } from '../target/target.ts'
import { type Comparison, comparisonSchema } from './comparison.ts'

/** How a remote's canary is to grow, and its last judgement. Not in the records, because most judgements change no share. */
const planSchema = z.object({
  /** Of the canary, and of the release that it is compared with. */
  version: z.string(),
  current: z.string(),
  /** Shares in percent, rising to 100: for everyone. */
  steps: z.array(z.number()).readonly(),
  /** Share during the current step. */
  percent: z.number(),
  /** Milliseconds that a step takes at least. */
  every: z.number(),
  /** Views of each release that a step takes at least. */
  views: z.number(),
  /** ISO 8601, as all times here. Views are counted from this hour on. */
  since: z.string(),
  stepAt: z.string(),
  judgedAt: z.string(),
  comparison: comparisonSchema,
})
export type Plan = z.infer<typeof planSchema>

const planPath = (remote: string): string => `.deploy/canaries/${remote}.json`

/** Null: no canary of this remote is judged, or another release of this tool wrote the plan. */
export const readPlan = async (target: Target, remote: string): Promise<Plan | null> =>
  planSchema.safeParse(await readJson(target, planPath(remote))).data ?? null
export const writePlan = (target: Target, remote: string, plan: Plan): Promise<void> =>
  target.write(planPath(remote), jsonBytes(plan))
export const removePlan = (target: Target, remote: string): Promise<void> => target.remove(planPath(remote))

/** Plans of the canaries that the site has, by remote. */
export async function readPlans(target: Target, { remotes }: SiteRecord): Promise<Record<string, Plan>> {
  const plans = await Promise.all(
    Object.entries(remotes).map(async ([name, { canary }]): Promise<[string, Plan][]> => {
      const plan = canary && (await readPlan(target, name))
      return plan?.version === canary?.release.version && plan ? [[name, plan]] : []
    }),
  )
  return Object.fromEntries(plans.flat())
}

/** The next share of a canary without harm; null: it needs more views first. */
export const nextStep = (
  { steps, views, percent }: Pick<Plan, 'steps' | 'views' | 'percent'>,
  { stepViews, holds }: Comparison,
): number | null =>
  holds || Math.min(stepViews.canary, stepViews.current) < views
    ? null
    : (steps.find((step) => step > percent) ?? 100)

/** How far a judge of a canary has come. */
export function planText({ comparison, steps, percent, views, judgedAt }: Plan, now: Date): string {
  const { canary, current } = comparison.stepViews
  const next = steps.filter((step) => step > percent).join(', ')
  return `the canary goes on to ${next} %, judged ${ago(judgedAt, now)}: ${canary} views of it, ${current} of the current version; a step takes ${views} of each`
}

/** Intervals without a judgement after which the judge counts as stopped. */
const SILENT = 3

/** What is wrong with a plan: its judge has stopped, or it holds. */
export function planProblem(
  name: string,
  { judgedAt, every, percent, comparison }: Plan,
  now: Date,
): string | undefined {
  if (now.getTime() - Date.parse(judgedAt) > SILENT * Math.max(every, 60_000))
    return `Nobody has judged it since, so it stays as it is: deploy canary ${name} --judge`
  return comparison.holds && `the canary holds at ${percent} %: ${comparison.holds}`
}
