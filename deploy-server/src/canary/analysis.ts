import { type Rejected, rejected } from '@anniversary/deploy/rejected'
import { canaryOf, remoteOf } from '@anniversary/deploy/site/compose'
import { authorize, type Caller, type Context } from '@anniversary/deploy/site/context'
import { currentSite } from '@anniversary/deploy/site/record'
import type { Target } from '@anniversary/deploy/target/target'
import { type Audience, withCanaryFor } from '@anniversary/deploy/verbs/canary'
import { changeSite } from '@anniversary/deploy/verbs/change'
import { notifyWebhook } from '@anniversary/deploy/verbs/webhook'
import { countsSchema, type VersionCounts } from '@anniversary/shared/contract/report'
import { errorMessage } from '@anniversary/shared/error-message'
import { hoursBefore, readViews } from '../reports/report-source.ts'
import { type Both, beginComparison, beginStep, compare, NO_COUNTS } from './comparison.ts'
import {
  allPlans,
  fits,
  needsText,
  nextStep,
  type Plan,
  planProblem,
  removePlan,
  writePlan,
} from './plan.ts'

/** `holds`: the views prove nothing. */
type Decision = 'waits' | 'holds' | 'grows' | 'promoted' | 'ended'

/** Hours before the plan that give the usual shares of the current release. */
const BEFORE_HOURS = 24

/** Plans the steps of a running canary, which the deploy server takes. @returns the views that they need */
export async function planCanary(
  context: Context,
  remote: string,
  options: Pick<Plan, 'steps' | 'every' | 'views'>,
  now = new Date(),
): Promise<string> {
  const { target } = context
  const site = await currentSite(target)
  await authorize(context, [remote])
  const { release, percent } = canaryOf(site, remote)
  const since = hoursBefore(now, BEFORE_HOURS)
  const views = await readViews({ remote, since })
  const versions = {
    remote,
    version: release.version,
    current: remoteOf(site, remote).current.version,
  }
  const comparison = beginComparison(countsOf(views, versions))
  const at = now.toISOString()
  const steps = options.steps.filter((step) => step > percent)
  await writePlan(target, {
    ...versions,
    comparison,
    percent,
    ...options,
    steps: [percent, ...steps],
    since,
    stepAt: at,
    comparedAt: at,
  })
  return needsText({ remote, views: options.views, steps: [percent, ...steps] }, views)
}

/**
 * Compares a canary with the current release, and changes its share by what it finds.
 * @throws Rejected when the canary was changed by hand, which ends the plan
 */
export async function analyseCanary(
  context: Context,
  plan: Plan,
  now = new Date(),
): Promise<Decision> {
  const { target } = context
  const { remote } = plan
  const views = await readViews({ remote, since: plan.since })
  const compared = compare(plan.comparison, countsOf(views, plan), plan)
  const { worse } = compared
  const at = now.toISOString()
  const next: Plan = { ...plan, comparedAt: at, comparison: compared.comparison }

  if (!fits(await currentSite(target), plan)) {
    await removePlan(target, plan)
    await notifyWebhook(changedByHand(remote).message)
    throw changedByHand(remote)
  }
  const audience = audienceOf(next, worse, now)
  if (audience === null) {
    await writePlan(target, next)
    const { holds } = next.comparison
    if (holds && !plan.comparison.holds) await notifyWebhook(`${remote}: ${planProblem(next, now)}`)
    return holds ? 'holds' : 'waits'
  }
  const reason = worse.length > 0 ? `: ${worse.join('; ')}` : ', no harm so far'
  await changeSite(context, audience === 'nobody' ? 'canary stop' : 'analysis', {}, (site) => {
    if (!fits(site, plan)) throw changedByHand(remote)
    const changed = withCanaryFor(site, remote, audience)
    return { ...changed, summary: `${changed.summary}${reason}` }
  })
  if (typeof audience === 'number') {
    await writePlan(target, {
      ...next,
      comparison: beginStep(next.comparison),
      percent: audience,
      stepAt: at,
    })
    return 'grows'
  }
  await removePlan(target, plan)
  return audience === 'everyone' ? 'promoted' : 'ended'
}

/** Returns whom the canary is for from now on; null when it stays as it is. */
function audienceOf(plan: Plan, worse: readonly string[], now: Date): Audience | null {
  if (worse.length > 0) return 'nobody'
  if (now.getTime() - Date.parse(plan.stepAt) < plan.every) return null
  const step = nextStep(plan)
  return step === 100 ? 'everyone' : step
}

const DEPLOY_SERVER: Caller = {
  name: 'deploy server',
  packages: ['*'],
  whoMay: () => [],
  isKnown: async () => true,
}

/** Analyses each canary that has a plan. A failure of one does not stop the others. */
export async function analyseCanaries(target: Target): Promise<void> {
  for (const plan of await allPlans(target))
    await analyseCanary({ target, caller: DEPLOY_SERVER, isDryRun: false }, plan).catch(
      (error: unknown) => console.error(errorMessage(error)),
    )
}

const changedByHand = (name: string): Rejected =>
  rejected(
    'site',
    name,
    'its canary was changed by hand, so its analysis has ended',
    `Go on by hand, or \`deploy canary auto ${name} --steps 25,50,100\``,
  )

function countsOf(
  views: readonly VersionCounts[],
  { remote, version, current }: Pick<Plan, 'remote' | 'version' | 'current'>,
): Both {
  const of = (wanted: string) =>
    countsSchema.parse(
      views.find((one) => one.remote === remote && one.version === wanted) ?? NO_COUNTS,
    )
  return { canary: of(version), current: of(current) }
}
