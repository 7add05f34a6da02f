import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import { type Candidate, HOST_NAME, isHostBuild, isRemoteBuild } from '../builds/read-build.ts'
import { createRejection } from '../rejected.ts'
import { composedReleaseOf, composedShellOf, versionInSite, withRelease } from '../site/compose.ts'
import type { Context } from '../site/context.ts'
import { emptySiteRecord, type SiteRecord } from '../site/record.ts'
import { applySiteChange, type Outcome } from './change.ts'
import { openBuildFolders } from './check-builds.ts'
import type { Change, CheckOptions } from './derive.ts'

interface PublishOptions extends CheckOptions {
  readonly config?: PublicConfig
}

/** @throws Rejected with every reason, before any change */
export async function publishFolders(
  context: Context,
  folders: readonly string[],
  options: PublishOptions = {},
): Promise<Outcome> {
  return await applySiteChange(
    context,
    publishChange(await openBuildFolders(context, folders), options),
  )
}

export const publishChange = (
  candidates: readonly Candidate[],
  { config, ...checks }: PublishOptions,
): Change => ({
  verb: 'publish',
  candidates,
  checks,
  next(before) {
    let site = withHost(before, candidates, config)
    for (const remote of candidates.filter(isRemoteBuild))
      site = withRelease(site, remote.build.name, composedReleaseOf(remote))
    return {
      site,
      summary: [...summaryOf(before, candidates), ...endedCanaries(before, site)].join(', '),
    }
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
  Object.entries(before?.remotes ?? {}).flatMap(([name, { canary }]) => {
    if (!canary || after.remotes[name]?.canary) return []

    const { version } = canary.release
    // A canary that was promoted is live.
    if (version === versionInSite(after, name)) return []
    return [`${name} canary ${version} stopped`]
  })
