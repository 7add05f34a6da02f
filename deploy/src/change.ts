import { hostname, userInfo } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import type { Build, HostBuild, RemoteBuild } from '@anniversary/shared/contract/composition'
import { nextRecord } from './compose.ts'
import { type ProposedRemote, problemsOf } from './gate.ts'
import { withLock } from './lock.ts'
import { Refused } from './problem.ts'
import { type Change, type Draft, newestRecord, recordPath, type SiteRecord } from './record.ts'
import { HOST_NAME, type PublishedBuilds, publishedBuilds, showNewest } from './site.ts'
import { jsonBytes, type Target } from './target/target.ts'

/** A step from one state of the site to the next, worked out anew whenever another deploy came in between. */
export interface Plan {
  readonly verb: string
  /** Packages that the step is about; the gate holds it to account for them. */
  readonly packages?: readonly string[]
  /** @param before null: the site is empty */
  step(before: SiteRecord | null): Promise<Step> | Step
  /** Builds that the step brings along, by `<name>/<version>`; all others are read from the site. */
  readonly builds?: ReadonlyMap<string, Build>
  /** Makes sure that those builds are in the site. */
  upload?(): Promise<void>
}

export interface Step {
  readonly draft: Draft
  /** One line for people: `mf-auth 1.0.0-… → 1.0.1-…`. */
  readonly summary: string
  /** In place of the plan's, where only the step knows. */
  readonly packages?: readonly string[]
  readonly restored?: number
}

export interface Outcome {
  readonly record: SiteRecord
  readonly summary: string
  /** False: the site was already as asked, and nothing was written. */
  readonly changed: boolean
  /** What a person should know though it is no reason to refuse. */
  readonly warnings: readonly string[]
}

/** Whose change it is, for the history: `DEPLOY_BY`, or this machine's user. */
export const author = (): string => process.env.DEPLOY_BY ?? `${userName()}@${hostname()}`
function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a number that no account has.
    return `uid ${process.getuid?.() ?? '?'}`
  }
}

/**
 * Changes the site: works out the step, holds it to the rules, writes the next record, shows it. One change at a time;
 * of several at once each lands, on top of the others.
 * @throws Refused before anything was written
 */
export const applyChange = async (
  target: Target,
  plan: Plan,
  now: () => Date = () => new Date(),
): Promise<Outcome> =>
  await withLock(target, async () => {
    const builds = publishedBuilds(target)
    for (;;) {
      const before = await newestRecord(target)
      const step = await plan.step(before)
      const warnings = await check(builds, plan, step)
      if (before && isSame(before, step.draft)) {
        await showNewest(target, builds)
        return { record: before, summary: step.summary, changed: false, warnings }
      }
      // Again, and under the lock: a prune may have removed what was uploaded before it was in use.
      await plan.upload?.()
      const record = nextRecord(before, step.draft, changeOf(plan, step), now())
      // Only one process can create each number, so a deploy that another has overtaken starts again from its result.
      if (!(await target.create(recordPath(record.number), jsonBytes(record)))) continue
      await showNewest(target, builds)
      return { record, summary: step.summary, changed: true, warnings }
    }
  })

const packagesOf = (plan: Plan, step: Step): readonly string[] => step.packages ?? plan.packages ?? []

const changeOf = (plan: Plan, step: Step): Change => ({
  verb: plan.verb,
  packages: [...packagesOf(plan, step)],
  summary: step.summary,
  by: author(),
  ...(step.restored === undefined ? {} : { restored: step.restored }),
})

/**
 * Holds a step to the rules without changing anything.
 * @returns whether the step would change the site
 * @throws Refused
 */
export async function checkChange(target: Target, plan: Plan): Promise<boolean> {
  const before = await newestRecord(target)
  const step = await plan.step(before)
  await check(publishedBuilds(target), plan, step)
  return !before || !isSame(before, step.draft)
}

const isSame = (before: SiteRecord, draft: Draft): boolean =>
  isDeepStrictEqual(
    { shell: before.shell, remotes: before.remotes, config: before.config },
    { shell: draft.shell, remotes: draft.remotes, config: draft.config },
  )

async function check(builds: PublishedBuilds, plan: Plan, step: Step): Promise<readonly string[]> {
  const { draft } = step
  const { host, remotes } = await buildsOf(builds, plan, draft)
  const problems = problemsOf({ host, remotes }, new Set(packagesOf(plan, step)))
  if (problems.length > 0) throw new Refused(problems)
  return missingRemotes(host, draft)
}

const missingRemotes = (host: HostBuild, draft: Draft): string[] =>
  Object.entries(host.routes).flatMap(([route, { remote }]) =>
    remote !== undefined && !draft.remotes[remote]
      ? [`${route} waits for ${remote}, which is not published yet`]
      : [],
  )

async function buildsOf(builds: PublishedBuilds, plan: Plan, draft: Draft) {
  const brought = (name: string, version: string) => plan.builds?.get(`${name}/${version}`)
  const ownHost = brought(HOST_NAME, draft.shell.version)
  const host = ownHost?.kind === 'host' ? ownHost : await builds.host(draft.shell.version)
  const remotes = Object.entries(draft.remotes).flatMap(([name, { current, canary }]) =>
    [current, ...(canary ? [canary.release] : [])].map(async ({ version }): Promise<ProposedRemote> => {
      const own = brought(name, version)
      const build: RemoteBuild = own?.kind === 'remote' ? own : await builds.remote(name, version)
      return { name, version, build }
    }),
  )
  return { host, remotes: await Promise.all(remotes) }
}
