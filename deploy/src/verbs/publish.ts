import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import { type Candidate, HOST_NAME, isHost, isRemote, readCandidates } from '../builds/read-build.ts'
import { sizeProblems } from '../checks/page-sizes.ts'
import type { smokeTest } from '../checks/smoke-test.ts'
import { Rejected, rejected } from '../rejected.ts'
import { authorize, CHECKS } from '../site/caller.ts'
import { releaseOf, shellOf, versionIn, withRelease } from '../site/compose.ts'
import type { SiteRecord, SiteState } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { applyChange, type Change, type Checked, type Derived, type Outcome } from './change.ts'

const NO_EVENT_URL =
  'eventUrl is not set, so social networks show links to this site without a picture: set the address of the site, https://…'

export interface PublishOptions {
  /** Configuration of a site that has none yet. */
  readonly config?: PublicConfig
  readonly anySize?: boolean
  /** Loads the site in a browser as it would be after the change (checks/smoke-test.ts). */
  readonly smoke?: typeof smokeTest
}

/** Puts builds live in one step: all of them or none. @throws Rejected with every reason, before anything was changed */
export async function publish(
  target: Target,
  folders: readonly string[],
  options: PublishOptions = {},
): Promise<Outcome> {
  const candidates = await readCandidates(folders)
  return await applyChange(target, publishChange(target, candidates, options))
}

export async function validate(
  target: Target,
  { record, builds, candidates }: Derived,
  { anySize = false, smoke }: PublishOptions,
): Promise<Checked> {
  if (anySize || !smoke) authorize([CHECKS])
  const sizes = (await Promise.all(candidates.filter(isRemote).map(sizeProblems))).flat()
  const waived = anySize ? sizes.splice(0) : []
  const smoked = await smoke?.(target, { record, builds, candidates })
  const { problems = [], verdicts = [], warnings = [] } = smoked ?? {}
  if (sizes.length + problems.length > 0) throw new Rejected([...sizes, ...problems], verdicts)
  return { verdicts, warnings: [...waived.map(({ about, found }) => `${about}: ${found}`), ...warnings] }
}

export const publishChange = (
  target: Target,
  candidates: readonly Candidate[],
  options: PublishOptions,
): Change => ({
  verb: 'publish',
  candidates,
  validate: async (derived) => {
    const hasCard = candidates.filter(isHost).some(({ build }) => build.page?.card)
    const checked = await validate(target, derived, options)
    const isBare = hasCard && !derived.record.config.eventUrl
    return { ...checked, warnings: [...checked.warnings, ...(isBare ? [NO_EVENT_URL] : [])] }
  },
  next: (before) => ({
    ...candidates
      .filter(isRemote)
      .reduce(
        (site, candidate) => withRelease(site, candidate.build.name, releaseOf(candidate)),
        withHost(before, candidates, options.config),
      ),
    summary: summaryOf(before, candidates),
    packages: candidates.map(({ build }) => build.name),
  }),
})

function withHost(
  before: SiteRecord | null,
  candidates: readonly Candidate[],
  config: PublicConfig = publicConfigSchema.parse({}),
): SiteState {
  const host = candidates.find(isHost)
  const shell = host && shellOf(host)
  if (before) return { ...before, ...(shell && { shell }) }
  if (shell) return { shell, remotes: {}, config }
  throw rejected('site', HOST_NAME, 'this site has no shell yet', 'Publish the shell first, or with this')
}

const summaryOf = (before: SiteRecord | null, candidates: readonly Candidate[]): string =>
  candidates
    .map(({ build: { name }, version }) => {
      const old = before && versionIn(before, name)
      return old && old !== version ? `${name} ${old} → ${version}` : `${name} ${version}`
    })
    .join(', ')
