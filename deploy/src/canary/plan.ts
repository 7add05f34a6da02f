import { z } from 'zod'
import type { SiteRecord } from '../site/record.ts'
import { jsonBytes, readJson, type Target } from '../target/target.ts'
import { type Comparison, comparisonSchema } from './comparison.ts'

/** How the canary of a remote is to grow, and how far it was judged. Beside the records: most judgements change no share. */
const planSchema = z.object({
  /** Of the canary, and of the release that it is compared with. */
  version: z.string(),
  current: z.string(),
  /** Shares in percent, rising to 100: for everyone. */
  steps: z.array(z.number()).readonly(),
  /** Share that the views of this step have been counted at. */
  percent: z.number(),
  /** Milliseconds that a step takes at least. */
  every: z.number(),
  /** Views of each release that a step takes at least. */
  views: z.number(),
  /** ISO 8601, as all times here. Hour from which the API's figures are counted. */
  since: z.string(),
  stepAt: z.string(),
  judgedAt: z.string(),
  comparison: comparisonSchema,
})
export type Plan = z.infer<typeof planSchema>

const planPath = (remote: string): string => `.deploy/canaries/${remote}.json`

/** Null: nobody judges a canary of this remote. */
export async function readPlan(target: Target, remote: string): Promise<Plan | null> {
  const json = await readJson(target, planPath(remote))
  return json === null ? null : planSchema.parse(json)
}
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

/** The share that a canary without harm is to have next; null: more views are wanted first. */
export const nextStep = (
  { steps, views, percent }: Pick<Plan, 'steps' | 'views' | 'percent'>,
  { stepViews }: Comparison,
): number | null =>
  Math.min(stepViews.canary, stepViews.current) < views ? null : (steps.find((step) => step > percent) ?? 100)

/** A judge that has not come for three times its interval has stopped. */
const SILENT = 3

export const isSilent = ({ judgedAt, every }: Plan, now: Date): boolean =>
  now.getTime() - Date.parse(judgedAt) > SILENT * Math.max(every, 60_000)
