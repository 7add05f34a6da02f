import { isDeepStrictEqual } from 'node:util'
import type { Release } from '@anniversary/shared/contract/composition'
import { type Counts, countsSchema, type VersionCounts } from '@anniversary/shared/contract/report'
import { type Both, beginComparison, beginStep, compare, sentence } from '../canary/comparison.ts'
import { nextStep, type Plan, readPlan, removePlan, writePlan } from '../canary/plan.ts'
import { rejected } from '../rejected.ts'
import { hoursBefore } from '../reports/report-source.ts'
import { authorize } from '../site/caller.ts'
import { remoteOf, withCanary, withoutCanary, withRelease } from '../site/compose.ts'
import { currentSite, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { canaryOf, changeCanary } from './canary.ts'
import type { NextState, Outcome } from './change.ts'

/** Reads a remote's views since a time (ISO 8601), by version. */
export type ViewsSince = (remote: string, since: string) => Promise<readonly VersionCounts[]>

export interface Judged {
  /** `holds`: the views that came prove nothing. */
  readonly verdict: 'waits' | 'holds' | 'grows' | 'promoted' | 'ended'
  readonly plan: Plan
  readonly judgement: Both
  /** Set when the verdict changed the site. */
  readonly outcome?: Outcome
}

/** Hours before the canary that tell how the current release usually fares. */
const BEFORE_HOURS = 24

/**
 * Begins to judge a canary by what members feel from now on; one that is judged already begins anew.
 * @throws Rejected when there is no canary
 */
export async function planCanary(
  target: Target,
  remote: string,
  views: ViewsSince,
  { steps, every, views: perStep }: Pick<Plan, 'steps' | 'every' | 'views'>,
  now = new Date(),
): Promise<Plan> {
  authorize([remote])
  const expected = stateOf(await currentSite(target), remote)
  const at = now.toISOString()
  const since = hoursBefore(now, BEFORE_HOURS)
  const comparison = beginComparison(countsOf(await views(remote, since), expected))
  const plan = { ...expected, steps, every, views: perStep, since, stepAt: at, judgedAt: at, comparison }
  await writePlan(target, remote, plan)
  return plan
}

/**
 * Evaluates a canary once: ends it if its views are bad, takes it to its next share if enough views show no harm, or
 * leaves it as it is. Nothing else raises its share.
 * @throws Rejected when there is no canary or no plan for it; another error when it was changed meanwhile
 */
export async function evaluateCanary(
  target: Target,
  remote: string,
  views: ViewsSince,
  now = new Date(),
): Promise<Judged> {
  authorize([remote])
  const plan = await readPlan(target, remote)
  const expected = stateOf(await currentSite(target), remote)
  if (plan?.version !== expected.version)
    throw rejected(
      'site',
      remote,
      `nobody said how its canary ${expected.version} is to be judged`,
      `deploy canary ${remote} --auto 5,25,50,100 --every 10m`,
    )
  // Somebody has published or rolled back since: the canary is compared with another release from now on.
  if (plan.current !== expected.current) {
    const next = await planCanary(target, remote, views, plan, now)
    const { start } = next.comparison
    return { verdict: 'waits', plan: next, judgement: compare(next.comparison, start, next).judgement }
  }
  const at = now.toISOString()
  const { percent: shown } = expected
  const counts = countsOf(await views(remote, plan.since), plan)
  // The views may be of the share before somebody changed it.
  const step = { ...plan, percent: Math.max(plan.percent, shown) }
  const { comparison: compared, worse, judgement } = compare(plan.comparison, counts, step)
  const judged: Plan =
    plan.percent === shown
      ? { ...plan, judgedAt: at, comparison: compared }
      : { ...plan, judgedAt: at, stepAt: at, percent: shown, comparison: beginStep(compared) }

  const change = (next: (site: SiteRecord, release: Release) => Omit<NextState, 'packages'>) =>
    changeCanary(target, 'judge', { name: remote }, (site, { release }) => {
      // A plain error, so that a judge tries again; `Rejected` would stop it.
      if (!isDeepStrictEqual(stateOf(site, remote), expected))
        throw new Error(
          `The canary of ${remote} was changed meanwhile (${site.change.summary}); judge it again`,
        )
      return { ...next(site, release), judgement }
    })
  if (worse.length > 0) {
    const outcome = await change((site) => ({
      ...withoutCanary(site, remote),
      summary: `${remote} canary ${plan.version} ended: ${worse.map((fact) => sentence(fact, judgement)).join('; ')}`,
    }))
    await removePlan(target, remote)
    return { verdict: 'ended', plan: judged, judgement, outcome }
  }
  const isEarly = now.getTime() - Date.parse(judged.stepAt) < plan.every
  const percent = isEarly ? null : nextStep(judged, judged.comparison)
  if (percent === null) {
    await writePlan(target, remote, judged)
    return { verdict: judged.comparison.holds ? 'holds' : 'waits', plan: judged, judgement }
  }
  const isLast = percent === 100
  const outcome = await change((site, release) => ({
    ...(isLast ? withRelease(site, remote, release) : withCanary(site, remote, release, percent)),
    summary: isLast
      ? `${remote} ${plan.current} → ${plan.version}, no harm in its canary`
      : `${remote} canary ${plan.version} for ${percent} %, no harm so far`,
  }))
  const next: Plan = { ...judged, percent, stepAt: at, comparison: beginStep(judged.comparison) }
  await (isLast ? removePlan(target, remote) : writePlan(target, remote, next))
  return { verdict: isLast ? 'promoted' : 'grows', plan: next, judgement, outcome }
}

/** What must not change while views are evaluated. @throws Rejected when there is no canary */
function stateOf(site: SiteRecord, remote: string) {
  const { release, percent } = canaryOf(site, remote)
  return { version: release.version, current: remoteOf(site, remote).current.version, percent }
}

const NONE: Counts = { views: 0, threw: 0, failed: 0, paintedLate: 0, answeredLate: 0 }

function countsOf(
  versions: readonly VersionCounts[],
  { version, current }: Pick<Plan, 'version' | 'current'>,
): Both {
  const of = (wanted: string) => countsSchema.parse(versions.find((one) => one.version === wanted) ?? NONE)
  return { canary: of(version), current: of(current) }
}
