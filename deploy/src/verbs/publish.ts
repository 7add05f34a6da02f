import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import {
  type Candidate,
  HOST_NAME,
  isHostBuild,
  isReleaseOf,
  isRemoteBuild,
} from '../builds/read-build.ts'
import { createRejection } from '../rejected.ts'
import {
  composedReleaseOf,
  composedShellOf,
  versionInSite,
  versionsOf,
  withRelease,
} from '../site/compose.ts'
import type { Context } from '../site/context.ts'
import { recordsBefore, standingRecords } from '../site/history.ts'
import { emptySiteRecord, newestRecord, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { applySiteChange, canariesOf, type Outcome } from './change.ts'
import { openBuildFolders } from './check-builds.ts'
import type { Change, CheckOptions } from './derive.ts'

export interface PublishOptions extends CheckOptions {
  readonly config?: PublicConfig
  /**
   * Leaves out content that was released before, under any version: whoever
   * replaced it or took it back meant that.
   */
  readonly changed?: boolean
}

/** @throws Rejected with every reason, before any change */
export async function publishFolders(
  context: Context,
  folders: readonly string[],
  { changed, ...options }: PublishOptions = {},
): Promise<Outcome> {
  const candidates = await openBuildFolders(context, folders)
  const site = changed ? await newestRecord(context.target) : null
  if (!site) return await applySiteChange(context, publishChange(candidates, options))

  const released = await releasedVersions(context.target, site)
  const unreleased: Candidate[] = []
  const leftOut: string[] = []
  for (const candidate of candidates) {
    const { build } = candidate
    const release = [...(released.get(build.name) ?? [])].find((version) =>
      isReleaseOf(build, version),
    )
    if (!release) unreleased.push(candidate)
    else if (release !== versionInSite(site, build.name))
      leftOut.push(
        `${build.name} left out: released before as ${release} (\`deploy publish\` without \`--changed\` puts it live)`,
      )
  }
  const outcome = await applySiteChange(context, publishChange(unreleased, options))
  return { ...outcome, warnings: [...leftOut, ...outcome.warnings] }
}

/** Returns each package's versions, the live one first. */
async function releasedVersions(target: Target, site: SiteRecord) {
  const before: SiteRecord[] = []
  for await (const record of recordsBefore(target, site.number)) before.push(record)

  const released = new Map<string, Set<string>>()
  const add = (name: string, version: string) =>
    released.set(name, (released.get(name) ?? new Set<string>()).add(version))
  for await (const record of standingRecords(before, site))
    for (const [name, version] of versionsOf(record)) add(name, version)
  // A stopped canary stays stopped, also where a rollback of the site left it
  // out.
  for (const [n, record] of before.entries())
    for (const { name, canary } of endedCanaries(record, before[n - 1] ?? site))
      add(name, canary.release.version)
  return released
}

export const publishChange = (
  candidates: readonly Candidate[],
  { config, ...checks }: Omit<PublishOptions, 'changed'>,
): Change => ({
  verb: 'publish',
  candidates,
  checks,
  next(before) {
    let site = withHost(before, candidates, config)
    for (const remote of candidates.filter(isRemoteBuild))
      site = withRelease(site, remote.build.name, composedReleaseOf(remote))
    const stopped = endedCanaries(before, site).map(
      ({ name, canary }) => `${name} canary ${canary.release.version} stopped`,
    )
    const parts = [...summaryOf(before, candidates), ...stopped]
    return { site, summary: parts.join(', ') || 'every build was released before' }
  },
})

function withHost(
  before: SiteRecord | null,
  candidates: readonly Candidate[],
  config: PublicConfig = publicConfigSchema.parse({}),
): SiteRecord {
  const host = candidates.find(isHostBuild)
  if (host) {
    const shell = composedShellOf(host)
    if (before) return { ...before, shell }
    return emptySiteRecord(shell, config)
  }
  if (before) return before
  throw createRejection(
    'site',
    HOST_NAME,
    'this site has no shell yet',
    'Publish the shell first, or with this',
  )
}

const summaryOf = (before: SiteRecord | null, candidates: readonly Candidate[]) =>
  candidates.map(({ build: { name }, version }) => {
    const old = before && versionInSite(before, name)
    if (!old || old === version) return `${name} ${version}`
    return `${name} ${old} → ${version}`
  })

const endedCanaries = (before: SiteRecord | null, after: SiteRecord) =>
  canariesOf(before).filter(({ name, canary }) => {
    // A canary that was promoted is live.
    const isPromoted = canary.release.version === versionInSite(after, name)
    return !isPromoted && !after.remotes[name]?.canary
  })
