import { countsSchema, type VersionCounts } from '@anniversary/shared/contract/report'
import { errorMessage } from '@anniversary/shared/error-message'
import { type Both, beginComparison, beginStep, compare, NO_COUNTS } from '../canary/comparison.ts'
import {
  allPlans,
  fits,
  holdOf,
  nextStep,
  type Plan,
  planProblem,
  removePlan,
  writePlan,
} from '../canary/plan.ts'
import { type Rejected, rejected } from '../rejected.ts'
import { hoursBefore, readViewsOf } from '../reports/report-source.ts'
import { authorize, onBehalf } from '../site/caller.ts'
import { canarySet, remoteOf } from '../site/compose.ts'
import { currentSite } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { withCanariesFor } from './canary.ts'
import { announce, changeSite } from './change.ts'

/** `holds`: the views that came prove nothing. */
type Judged = 'waits' | 'holds' | 'grows' | 'promoted' | 'ended'

/** Hours before the canary that tell how the current release usually fares. */
const BEFORE_HOURS = 24

export async function planCanary(
  target: Target,
  remote: string,
  steps: Pick<Plan, 'steps' | 'every' | 'views'>,
  now = new Date(),
): Promise<void> {
  const site = await currentSite(target)
  const canaries = Object.entries(canarySet(site, remote))
  await authorize(canaries.map(([name]) => name))
  const since = hoursBefore(now, BEFORE_HOURS)
  const views = await readViewsOf(
    site.config,
    canaries.map(([name]) => name),
    since,
  )
  const remotes: Plan['remotes'] = {}
  for (const [name, { release }] of canaries) {
    const versions = { version: release.version, current: remoteOf(site, name).current.version }
    remotes[name] = { ...versions, ...beginComparison(countsOf(views, name, versions)) }
  }
  const at = now.toISOString()
  const percent = canaries[0]?.[1].percent ?? 0
  await writePlan(target, { remotes, percent, ...steps, since, stepAt: at, judgedAt: at })
}

/** Nothing else raises a set's share. Whoever changes it by hand takes it over. @throws Rejected when somebody has done so */
export async function evaluateCanary(target: Target, plan: Plan, now = new Date()): Promise<Judged> {
  const { config } = await currentSite(target)
  const names = Object.keys(plan.remotes)
  const views = await readViewsOf(config, names, plan.since)
  const name = names.join(', ')
  const at = now.toISOString()
  const judged: Plan = { ...plan, judgedAt: at, remotes: {} }
  const worse: string[] = []
  for (const [remote, one] of Object.entries(plan.remotes)) {
    const { version, current } = one
    const compared = compare(one, countsOf(views, remote, one), plan, names.length)
    judged.remotes[remote] = { version, current, ...compared.comparison }
    worse.push(...compared.worse.map((sentence) => `${remote} ${sentence}`))
  }

  if (!fits(await currentSite(target), plan)) {
    await removePlan(target, plan)
    await announce(takenOver(name).message)
    throw takenOver(name)
  }
  const isEarly = now.getTime() - Date.parse(plan.stepAt) < plan.every
  const step = isEarly ? null : nextStep(judged, Object.values(judged.remotes))
  const audience = worse.length > 0 ? 'nobody' : step === 100 ? 'everyone' : step
  if (audience === null) {
    await writePlan(target, judged)
    const holds = holdOf(judged)
    if (holds && !holdOf(plan)) await announce(`${name}: ${planProblem(judged, now)}`)
    return holds ? 'holds' : 'waits'
  }
  const why = worse.length > 0 ? `: ${worse.join('; ')}` : ', no harm so far'
  await changeSite(target, 'judge', {}, (site) => {
    if (!fits(site, plan)) throw takenOver(name)
    const next = withCanariesFor(site, names[0] ?? '', audience)
    return { ...next, summary: `${next.summary}${why}` }
  })
  if (typeof audience === 'number') {
    for (const one of Object.values(judged.remotes)) Object.assign(one, beginStep(one))
    await writePlan(target, { ...judged, percent: audience, stepAt: at })
    return 'grows'
  }
  await removePlan(target, plan)
  return audience === 'everyone' ? 'promoted' : 'ended'
}

const SELF = { name: 'deploy server', packages: ['*'], whoMay: () => [], isKnown: async () => true }

/** Judges each canary that somebody has started with `--auto`. A failure is no reason not to judge the others. */
export async function judgeCanaries(target: Target): Promise<void> {
  for (const plan of await allPlans(target))
    await onBehalf
      .run(SELF, () => evaluateCanary(target, plan))
      .catch((error: unknown) => console.error(errorMessage(error)))
}

const takenOver = (name: string): Rejected =>
  rejected(
    'site',
    name,
    'its canary was changed by hand, and is judged no longer',
    `Go on by hand, or \`deploy canary ${name} --auto 5,25,50,100\``,
  )

function countsOf(
  views: readonly VersionCounts[],
  remote: string,
  { version, current }: { readonly version: string; readonly current: string },
): Both {
  const of = (wanted: string) =>
    countsSchema.parse(views.find((one) => one.remote === remote && one.version === wanted) ?? NO_COUNTS)
  return { canary: of(version), current: of(current) }
}
