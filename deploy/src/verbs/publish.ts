import type { HostBuild } from '@anniversary/shared/contract/composition'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { isHost, isRemote, readCandidates } from '../builds/candidates.ts'
import type { Candidate } from '../builds/read-build.ts'
import { sizeProblems } from '../checks/page-sizes.ts'
import type { SmokeResult } from '../checks/smoke-test.ts'
import { Rejected, rejected } from '../rejected.ts'
import { applyChange, type Change, derive, type Outcome } from '../site/change.ts'
import { releaseOf, versionIn, withRelease } from '../site/compose.ts'
import type { SiteRecord, SiteState } from '../site/record.ts'
import { HOST_NAME } from '../site/version-folders.ts'
import type { Target } from '../target/target.ts'

export interface PublishOptions {
  /** Allows pages over the size budget, with a warning. */
  readonly anySize?: boolean
  /** Loads the site in a browser as it would be after the change (checks/smoke-test.ts). */
  readonly smoke?: (target: Target, change: Change) => Promise<SmokeResult>
}

/**
 * Puts builds live in one step: all of them or none.
 * @param folders output folders of builds, each with its `build.json`
 * @throws Rejected with every reason, before anything was changed
 */
export async function publish(
  target: Target,
  folders: readonly string[],
  options: PublishOptions = {},
): Promise<Outcome> {
  return await stage(target, publishChange(await readCandidates(folders)), options)
}

/**
 * Validates a change's candidates, then applies it.
 * @throws Rejected
 */
export async function stage(target: Target, change: Change, options: PublishOptions): Promise<Outcome> {
  const { candidates = [] } = change
  // Before the smoke test, and again under the lock, because another deploy may be faster.
  const { changed } = await derive(target, change)
  const warnings = changed ? await validate(target, candidates, options) : []
  const outcome = await applyChange(target, change)
  return { ...outcome, warnings: [...warnings, ...outcome.warnings] }
}

/**
 * Checks the candidates themselves: size and smoke test.
 * @returns warnings: what was waived or skipped
 * @throws Rejected
 */
export async function validate(
  target: Target,
  candidates: readonly Candidate[],
  { anySize = false, smoke }: PublishOptions,
): Promise<string[]> {
  const sizes = (await Promise.all(candidates.filter(isRemote).map(sizeProblems))).flat()
  const waived = anySize ? sizes.splice(0) : []
  // A canary is tested as everyone's version, so that the page shows it for certain.
  const smoked = (await smoke?.(target, publishChange(candidates))) ?? { problems: [] }
  const problems = [...sizes, ...smoked.problems]
  if (problems.length > 0) throw new Rejected(problems)
  return [
    ...waived.map(({ about, found }) => `${about}: ${found}`),
    ...(smoked.skipped ? [`smoke test skipped: ${smoked.skipped}`] : []),
  ]
}

/** Every candidate becomes the current version of its package. */
export const publishChange = (candidates: readonly Candidate[]): Change => ({
  verb: 'publish',
  candidates,
  next: (before) => ({
    ...candidates
      .filter(isRemote)
      .reduce(
        (site, candidate) => withRelease(site, candidate.build.name, releaseOf(candidate)),
        withHost(before, candidates),
      ),
    summary: summaryOf(before, candidates),
    packages: candidates.map(({ build }) => build.name),
  }),
})

function shellOf({ version, build: { contract, firstScript = '', files } }: Candidate<HostBuild>) {
  const { integrity } = files[firstScript] ?? {}
  return { version, contract, ...(integrity && { firstScript: integrity }) }
}

function withHost(before: SiteRecord | null, candidates: readonly Candidate[]): SiteState {
  const host = candidates.find(isHost)
  const shell = host && shellOf(host)
  if (before) return { ...before, ...(shell && { shell }) }
  if (shell) return { shell, remotes: {}, config: publicConfigSchema.parse({}) }
  throw rejected('site', HOST_NAME, 'this site has no shell yet', 'Publish the shell first, or with this')
}

const summaryOf = (before: SiteRecord | null, candidates: readonly Candidate[]): string =>
  candidates
    .map(({ build: { name }, version }) => {
      const old = before && versionIn(before, name)
      return old && old !== version ? `${name} ${old} → ${version}` : `${name} ${version}`
    })
    .join(', ')
