import { isDeepStrictEqual } from 'node:util'
import { type Counts, countsSchema, type VersionCounts } from '@anniversary/shared/contract/report'
import { announce } from '../announce.ts'
import { type Both, beginComparison, beginStep, compare, sentence } from '../canary/comparison.ts'
import {
  holdOf,
  nextStep,
  type Plan,
  planProblem,
  readPlan,
  removePlan,
  versionsIn,
  writePlan,
} from '../canary/plan.ts'
import { rejected } from '../rejected.ts'
import { hoursBefore } from '../reports/report-source.ts'
import { authorize } from '../site/caller.ts'
import { canarySet, withCanaries, withoutCanaries } from '../site/compose.ts'
import { currentSite, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { changeCanaries, promoted, resized, titleOf } from './canary.ts'
import type { Outcome } from './change.ts'

/** Reads a remote's views since a time (ISO 8601), by version. */
export type ViewsSince = (remote: string, since: string) => Promise<readonly VersionCounts[]>

export interface Judged {
  /** `holds`: the views that came prove nothing. */
  readonly verdict: 'waits' | 'holds' | 'grows' | 'promoted' | 'ended'
  readonly plan: Plan
  /** By remote. */
  readonly judgement: Readonly<Record<string, Both>>
  /** Set when the verdict changed the site. */
  readonly outcome?: Outcome
}

/** Hours before the canary that tell how the current release usually fares. */
const BEFORE_HOURS = 24

/**
 * Begins to judge the set of a remote's canary by what members feel from now on; one that is judged already begins anew.
 * @throws Rejected when there is no canary
 */
export async function planCanary(
  target: Target,
  remote: string,
  views: ViewsSince,
  { steps, every, views: perStep }: Pick<Plan, 'steps' | 'every' | 'views'>,
  now = new Date(),
): Promise<Plan> {
  const { versions, percent } = stateOf(await currentSite(target), remote)
  authorize(Object.keys(versions))
  const at = now.toISOString()
  const since = hoursBefore(now, BEFORE_HOURS)
  const counted = await countsOf(versions, views, since)
  const remotes = mapped(counted, (counts, name) => ({
    version: versions[name]?.version ?? '',
    current: versions[name]?.current ?? '',
    comparison: beginComparison(counts),
  }))
  const plan = { remotes, percent, steps, every, views: perStep, since, stepAt: at, judgedAt: at }
  await writePlan(target, plan)
  return plan
}

/**
 * Evaluates a set of canaries once: ends it if the views of one are bad, takes it to its next share if enough views of all
 * show no harm, or leaves it as it is. Nothing else raises its share.
 * @throws Rejected when there is no canary or no plan for it; another error when it was changed meanwhile
 */
export async function evaluateCanary(
  target: Target,
  remote: string,
  views: ViewsSince,
  now = new Date(),
): Promise<Judged> {
  const site = await currentSite(target)
  const expected = stateOf(site, remote)
  const { versions, percent: shown } = expected
  authorize(Object.keys(versions))
  const plan = await readPlan(target, Object.keys(versions))
  const title = titleOf(canarySet(site, remote))
  if (
    !plan ||
    Object.entries(versions).some(([name, { version }]) => plan.remotes[name]?.version !== version)
  )
    throw rejected(
      'site',
      remote,
      `nobody said how ${title} is to be judged`,
      `deploy canary ${remote} --auto 5,25,50,100 --every 10m`,
    )
  // Somebody has published or rolled back since: the canary is compared with another release from now on.
  if (Object.entries(versions).some(([name, { current }]) => plan.remotes[name]?.current !== current)) {
    const next = await planCanary(target, remote, views, plan, now)
    const none = mapped(
      next.remotes,
      ({ comparison }) => compare(comparison, comparison.start, { ...next, remotes: 1 }).judgement,
    )
    return { verdict: 'waits', plan: next, judgement: none }
  }
  const at = now.toISOString()
  const counted = await countsOf(versions, views, plan.since)
  // The views may be of the share before somebody changed it.
  const step = { ...plan, percent: Math.max(plan.percent, shown), remotes: Object.keys(versions).length }
  const compared = mapped(plan.remotes, ({ comparison }, name) =>
    compare(comparison, counted[name] ?? comparison.start, step),
  )
  const isMoved = plan.percent !== shown
  const judged: Plan = {
    ...plan,
    judgedAt: at,
    ...(isMoved && { stepAt: at, percent: shown }),
    remotes: mapped(plan.remotes, (one, name) => {
      const comparison = compared[name]?.comparison ?? one.comparison
      return { ...one, comparison: isMoved ? beginStep(comparison) : comparison }
    }),
  }
  const judgement = mapped(compared, (one) => one.judgement)
  const change = (next: Parameters<typeof changeCanaries>[3]) =>
    changeCanaries(target, 'judge', { name: remote }, (site, canaries) => {
      // A plain error, so that a judge tries again; `Rejected` would stop it.
      if (!isDeepStrictEqual(stateOf(site, remote), expected))
        throw new Error(`${title} was changed meanwhile (${site.change.summary}); judge it again`)
      return { ...next(site, canaries), judgement }
    })

  const worse = Object.entries(compared).flatMap(([name, one]) =>
    one.worse.map((fact) => `${name} ${sentence(fact, one.judgement)}`),
  )
  if (worse.length > 0) {
    const outcome = await change((site, canaries) => ({
      ...withoutCanaries(site, Object.keys(canaries)),
      summary: `${title} ended: ${worse.join('; ')}`,
    }))
    await removePlan(target, plan)
    return { verdict: 'ended', plan: judged, judgement, outcome }
  }
  const isEarly = now.getTime() - Date.parse(judged.stepAt) < plan.every
  const percent = isEarly ? null : nextStep(judged)
  if (percent === null) {
    await writePlan(target, judged)
    const holds = holdOf(judged)
    if (holds && !holdOf(plan)) await announce(`${title}: ${planProblem(remote, judged, now)}`)
    return { verdict: holds ? 'holds' : 'waits', plan: judged, judgement }
  }
  if (percent === 100) {
    const outcome = await change((site, canaries) => {
      const next = promoted(site, canaries)
      return { ...next, summary: `${next.summary}, no harm in its canary` }
    })
    await removePlan(target, plan)
    return { verdict: 'promoted', plan: { ...judged, percent }, judgement, outcome }
  }
  const outcome = await change((site, canaries) => ({
    ...withCanaries(site, resized(canaries, percent)),
    summary: `${title} for ${percent} %, no harm so far`,
  }))
  const remotes = mapped(judged.remotes, (one) => ({ ...one, comparison: beginStep(one.comparison) }))
  const next = { ...judged, percent, stepAt: at, remotes }
  await writePlan(target, next)
  return { verdict: 'grows', plan: next, judgement, outcome }
}

/** What must not change while views are evaluated. @throws Rejected when there is no canary */
function stateOf(site: SiteRecord, remote: string) {
  const versions = versionsIn(site, remote)
  return { versions, percent: canarySet(site, remote)[remote]?.percent ?? 0 }
}

const NONE: Counts = { views: 0, threw: 0, failed: 0, paintedLate: 0, answeredLate: 0 }

/** Views of both releases, by remote. */
async function countsOf(
  versions: ReturnType<typeof versionsIn>,
  views: ViewsSince,
  since: string,
): Promise<Record<string, Both>> {
  const counted = Object.entries(versions).map(async ([name, { version, current }]) => {
    const found = await views(name, since)
    const of = (wanted: string) => countsSchema.parse(found.find((one) => one.version === wanted) ?? NONE)
    return [name, { canary: of(version), current: of(current) }]
  })
  return Object.fromEntries(await Promise.all(counted))
}

const mapped = <T, U>(given: Readonly<Record<string, T>>, map: (value: T, name: string) => U) =>
  Object.fromEntries(Object.entries(given).map(([name, value]): [string, U] => [name, map(value, name)]))
