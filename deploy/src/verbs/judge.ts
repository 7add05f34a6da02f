import { type Counts, countsSchema, type VersionCounts } from '@anniversary/shared/contract/report'
import { errorMessage } from '@anniversary/shared/error-message'
import { type Both, beginComparison, beginStep, compare } from '../canary/comparison.ts'
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
import { hoursBefore, readViews, reportSource } from '../reports/report-source.ts'
import { authorize, onBehalf } from '../site/caller.ts'
import { canarySet, remoteOf, withCanaries, withoutCanaries } from '../site/compose.ts'
import { currentSite } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { changeCanaries, promoted, resized, titleOf } from './canary.ts'
import { announce } from './change.ts'

export type ViewsSince = (remote: string, since: string) => Promise<readonly VersionCounts[]>

/** `holds`: the views that came prove nothing. */
type Judged = 'waits' | 'holds' | 'grows' | 'promoted' | 'ended'

/** Hours before the canary that tell how the current release usually fares. */
const BEFORE_HOURS = 24

export async function planCanary(
  target: Target,
  remote: string,
  views: ViewsSince,
  { steps, every, views: perStep }: Pick<Plan, 'steps' | 'every' | 'views'>,
  now = new Date(),
): Promise<Plan> {
  const site = await currentSite(target)
  const canaries = canarySet(site, remote)
  authorize(Object.keys(canaries))
  const at = now.toISOString()
  const since = hoursBefore(now, BEFORE_HOURS)
  const remotes: Plan['remotes'] = {}
  for (const [name, { release }] of Object.entries(canaries)) {
    const versions = { version: release.version, current: remoteOf(site, name).current.version }
    remotes[name] = {
      ...versions,
      comparison: beginComparison(countsOf(await views(name, since), versions)),
    }
  }
  const percent = canaries[remote]?.percent ?? 0
  const plan = { remotes, percent, steps, every, views: perStep, since, stepAt: at, judgedAt: at }
  await writePlan(target, plan)
  return plan
}

/** Nothing else raises a set's share. Whoever changes it by hand takes it over. @throws Rejected when somebody has done so */
export async function evaluateCanary(
  target: Target,
  plan: Plan,
  views: ViewsSince,
  now = new Date(),
): Promise<Judged> {
  const names = Object.keys(plan.remotes)
  const name = names.join(', ')
  authorize(names)
  const at = now.toISOString()
  const judged: Plan = { ...plan, judgedAt: at, remotes: {} }
  const worse: string[] = []
  for (const [remote, one] of Object.entries(plan.remotes)) {
    const counted = countsOf(await views(remote, plan.since), one)
    const compared = compare(one.comparison, counted, { ...plan, remotes: names.length })
    judged.remotes[remote] = { ...one, comparison: compared.comparison }
    worse.push(...compared.worse.map((sentence) => `${remote} ${sentence}`))
  }

  const change = async (next: Parameters<typeof changeCanaries>[3]) =>
    await changeCanaries(target, 'judge', { name: names[0] ?? '' }, (site, canaries) => {
      if (!fits(site, plan)) throw takenOver(name)
      return next(site, canaries)
    })
  if (!fits(await currentSite(target), plan)) {
    await removePlan(target, plan)
    await announce(takenOver(name).message)
    throw takenOver(name)
  }
  if (worse.length > 0) {
    await change((site, canaries) => ({
      ...withoutCanaries(site, names),
      summary: `${titleOf(canaries)} ended: ${worse.join('; ')}`,
    }))
    await removePlan(target, plan)
    return 'ended'
  }
  const isEarly = now.getTime() - Date.parse(plan.stepAt) < plan.every
  const percent = isEarly ? null : nextStep(judged)
  if (percent === null) {
    await writePlan(target, judged)
    const holds = holdOf(judged)
    if (holds && !holdOf(plan)) await announce(`${name}: ${planProblem(judged, now)}`)
    return holds ? 'holds' : 'waits'
  }
  if (percent === 100) {
    await change((site, canaries) => {
      const next = promoted(site, canaries)
      return { ...next, summary: `${next.summary}, no harm in its canary` }
    })
    await removePlan(target, plan)
    return 'promoted'
  }
  await change((site, canaries) => ({
    ...withCanaries(site, resized(canaries, percent)),
    summary: `${titleOf(canaries)} for ${percent} %, no harm so far`,
  }))
  for (const one of Object.values(judged.remotes)) one.comparison = beginStep(one.comparison)
  await writePlan(target, { ...judged, percent, stepAt: at })
  return 'grows'
}

const SELF = { name: 'deploy server', packages: ['*'], whoMay: () => [] }

/** Judges each canary that somebody has started with `--auto`. A failure is no reason not to judge the others. */
export async function judgeCanaries(target: Target): Promise<void> {
  const source = reportSource((await currentSite(target)).config)
  for (const plan of await allPlans(target))
    await onBehalf
      .run(SELF, () => evaluateCanary(target, plan, (remote, since) => readViews(source, { remote, since })))
      .catch((error: unknown) => console.error(errorMessage(error)))
}

const takenOver = (name: string): Rejected =>
  rejected(
    'site',
    name,
    'its canary was changed by hand, and is judged no longer',
    `Go on by hand, or \`deploy canary ${name} --auto 5,25,50,100\``,
  )

const NONE: Counts = { views: 0, threw: 0, failed: 0, paintedLate: 0, answeredLate: 0 }

function countsOf(
  versions: readonly VersionCounts[],
  { version, current }: { readonly version: string; readonly current: string },
): Both {
  const of = (wanted: string) => countsSchema.parse(versions.find((one) => one.version === wanted) ?? NONE)
  return { canary: of(version), current: of(current) }
}
