import { isDeepStrictEqual } from 'node:util'
import type { Release } from '@anniversary/shared/contract/composition'
import type { VersionFigures } from '@anniversary/shared/contract/figures'
import {
  beginComparison,
  beginStep,
  type Compared,
  type Comparison,
  compare,
  countersOf,
  type Judgement,
  judgementOf,
  worseIn,
} from '../canary/comparison.ts'
import { nextStep, type Plan, readPlan, removePlan, writePlan } from '../canary/plan.ts'
import { rejected } from '../rejected.ts'
import { authorize } from '../site/caller.ts'
import { remoteOf, withCanary, withoutCanary, withRelease } from '../site/compose.ts'
import { currentSite, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { canaryOf, changeCanary } from './canary.ts'
import type { NextState, Outcome } from './change.ts'

/** Reads a remote's figures since a time (ISO 8601), by version. */
export type FiguresSince = (remote: string, since: string) => Promise<readonly VersionFigures[]>

export interface Judged {
  readonly verdict: 'waits' | 'grows' | 'promoted' | 'ended'
  readonly plan: Plan
  readonly judgement: Judgement
  /** Of a verdict that changed the site. */
  readonly outcome?: Outcome
}

const HOUR = 3_600_000
/** Hours before the canary whose views are the measure of a slow one. */
const BEFORE_HOURS = 24

/**
 * Begins to judge a canary by what members feel from now on; one that is judged already begins anew.
 * @throws Rejected when there is no canary
 */
export async function planCanary(
  target: Target,
  remote: string,
  figures: FiguresSince,
  { steps, every, views }: Pick<Plan, 'steps' | 'every' | 'views'>,
  now = new Date(),
): Promise<Plan> {
  authorize([remote])
  const { version, current, percent } = seenIn(await currentSite(target), remote)
  const at = now.toISOString()
  const since = new Date((Math.floor(now.getTime() / HOUR) - BEFORE_HOURS) * HOUR).toISOString()
  const comparison = beginComparison(countersBy(await figures(remote, since), { version, current }))
  const clock = { since, stepAt: at, judgedAt: at }
  const plan = { version, current, steps, percent, every, views, ...clock, comparison }
  await writePlan(target, remote, plan)
  return plan
}

/**
 * Judges a canary once: ends it if it is worse than the current release, takes it to its next share if enough views
 * show no harm, or leaves it as it is. Nothing else raises its share: without a judge it stays.
 * @throws Rejected when there is no canary or no plan for it; another error when it was changed meanwhile
 */
export async function judgeCanary(
  target: Target,
  remote: string,
  figures: FiguresSince,
  now = new Date(),
): Promise<Judged> {
  authorize([remote])
  const plan = await readPlan(target, remote)
  const seen = seenIn(await currentSite(target), remote)
  if (plan?.version !== seen.version)
    throw rejected(
      'site',
      remote,
      `nobody said how its canary ${seen.version} is to be judged`,
      `deploy canary ${remote} --auto 5,25,50,100 --every 10m`,
    )
  // Somebody has published or rolled back since: earlier views of the current release no longer count.
  if (plan.current !== seen.current) {
    const next = await planCanary(target, remote, figures, plan, now)
    return { verdict: 'waits', plan: next, judgement: judgementOf(next.comparison) }
  }
  const compared = compare(plan.comparison, countersBy(await figures(remote, plan.since), plan))
  const at = now.toISOString()
  const resized = plan.percent !== seen.percent && { stepAt: at, percent: seen.percent }
  const comparison = resized ? beginStep(compared) : compared
  const judged: Plan = { ...plan, ...resized, judgedAt: at, comparison }
  const judgement = judgementOf(comparison)
  const change = (next: (site: SiteRecord, release: Release) => Omit<NextState, 'packages'>) =>
    changeCanary(target, 'judge', { name: remote }, (site, { release }) => {
      // Not Rejected, which would end a judge: it looks again.
      if (!isDeepStrictEqual(seenIn(site, remote), seen))
        throw new Error(
          `The canary of ${remote} was changed meanwhile (${site.change.summary}); judge it again`,
        )
      return { ...next(site, release), judgement }
    })
  const worse = worseIn(comparison)
  if (worse.length > 0) {
    const outcome = await change((site) => ({
      ...withoutCanary(site, remote),
      summary: `${remote} canary ${seen.version} ended: ${worse.map((one) => sentence(one, judgement)).join('; ')}`,
    }))
    await removePlan(target, remote)
    return { verdict: 'ended', plan: judged, judgement, outcome }
  }
  const percent = now.getTime() - Date.parse(judged.stepAt) < plan.every ? null : nextStep(judged, comparison)
  if (percent === null) {
    await writePlan(target, remote, judged)
    return { verdict: 'waits', plan: judged, judgement }
  }
  const isLast = percent === 100
  const outcome = await change((site, release) => ({
    ...(isLast ? withRelease(site, remote, release) : withCanary(site, remote, release, percent)),
    summary: isLast
      ? `${remote} ${seen.current} → ${seen.version}, no harm in its canary`
      : `${remote} canary ${seen.version} for ${percent} %, no harm so far`,
  }))
  const next: Plan = { ...judged, percent, stepAt: at, comparison: beginStep(comparison) }
  await (isLast ? removePlan(target, remote) : writePlan(target, remote, next))
  return { verdict: isLast ? 'promoted' : 'grows', plan: next, judgement, outcome }
}

/** What must stay the same while a judge looks at the figures. @throws Rejected when there is no canary */
function seenIn(site: SiteRecord, remote: string) {
  const { release, percent } = canaryOf(site, remote)
  return { version: release.version, current: remoteOf(site, remote).current.version, percent }
}

function countersBy(
  figures: readonly VersionFigures[],
  { version, current }: Pick<Plan, 'version' | 'current'>,
): Comparison['counters'] {
  const of = (wanted: string) => countersOf(figures.find((one) => one.version === wanted))
  return { canary: of(version), current: of(current) }
}

const TITLES: Readonly<Record<Compared, string>> = {
  errors: 'errors in',
  failures: 'load failures in',
  lcp: 'LCP',
  inp: 'INP',
}

/** What was compared, for people: `errors in 4.1 % of 812 views, current 0.9 % of 15200`. */
export function sentence(measure: Compared, judgement: Judgement): string {
  const { canary, current, above } = judgement[measure] ?? {}
  const share = ({ n, bad } = { n: 0, bad: 0 }) => `${((bad / Math.max(1, n)) * 100).toFixed(1)} % of ${n}`
  const title = above === undefined ? TITLES[measure] : `${TITLES[measure]} above ${above} ms in`
  return `${title} ${share(canary)} views, current ${share(current)}`
}
