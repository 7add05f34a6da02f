import { z } from 'zod'
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
  /** ISO 8601, as all times here. Hour from which the API's figures are counted. */
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
  { stepViews }: Comparison,
): number | null =>
  Math.min(stepViews.canary, stepViews.current) < views ? null : (steps.find((step) => step > percent) ?? 100)

/** Intervals without a judgement after which the judge counts as stopped. */
const SILENT = 3

export const isSilent = ({ judgedAt, every }: Plan, now: Date): boolean =>
  now.getTime() - Date.parse(judgedAt) > SILENT * Math.max(every, 60_000)
