import { isDeepStrictEqual } from 'node:util'
import type { Build } from '@anniversary/shared/contract/composition'
import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import { type Candidate, HOST_NAME, isHostBuild, isRemoteBuild } from '../builds/read-build.ts'
import { createRejection } from '../rejected.ts'
import { composedReleaseOf, composedShellOf, versionInSite, withRelease } from '../site/compose.ts'
import type { Context } from '../site/context.ts'
import { standingRecords } from '../site/history.ts'
import { emptySiteRecord, newestRecord, type SiteRecord } from '../site/record.ts'
import { publishedBuilds } from '../site/version-folders.ts'
import type { Target } from '../target/target.ts'
import { applySiteChange, type Outcome } from './change.ts'
import { openBuildFolders } from './check-builds.ts'
import type { Change, CheckOptions } from './derive.ts'

export interface PublishOptions extends CheckOptions {
  readonly config?: PublicConfig
  /**
   * Leaves out builds that differ from the newest release of their package in
   * nothing but the version, so that what was rolled back stays so.
   */
  readonly changed?: boolean
}

/** @throws Rejected with every reason, before any change */
export async function publishFolders(
  context: Context,
  folders: readonly string[],
  { changed, ...options }: PublishOptions = {},
): Promise<Outcome> {
  const opened = await openBuildFolders(context, folders)
  const candidates = changed ? await changedSinceRelease(context.target, opened) : opened
  return await applySiteChange(context, publishChange(candidates, options))
}

async function changedSinceRelease(
  target: Target,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const site = await newestRecord(target)
  if (!site) return [...candidates]

  const builds = publishedBuilds(target)
  const contentOf = (build: Build) => ({ ...build, version: '' })
  const comparing = candidates.map(async (candidate) => {
    const { build } = candidate
    const version = await newestRelease(target, site, build.name)
    // Another release of this tool may have written it in another form.
    if (!version) return [candidate]
    const released = await builds.of(build.name, version).catch(() => null)
    if (!released) return [candidate]
    if (isDeepStrictEqual(contentOf(build), contentOf(released))) return []
    return [candidate]
  })
  return (await Promise.all(comparing)).flat()
}

async function newestRelease(
  target: Target,
  site: SiteRecord,
  name: string,
): Promise<string | undefined> {
  for await (const record of standingRecords(target, site)) {
    const { verb, packages } = record.change
    if (['publish', 'canary'].includes(verb) && packages.includes(name))
      return record.remotes[name]?.canary?.release.version ?? versionInSite(record, name)
  }
  return undefined
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

function summaryOf(before: SiteRecord | null, candidates: readonly Candidate[]): string[] {
  if (candidates.length === 0) return ['all builds are the newest releases']
  return candidates.map(({ build: { name }, version }) => {
    const old = before && versionInSite(before, name)
    if (!old || old === version) return `${name} ${version}`
    return `${name} ${old} → ${version}`
  })
}

const endedCanaries = (before: SiteRecord | null, after: SiteRecord) =>
  Object.entries(before?.remotes ?? {}).flatMap(([name, { canary }]) => {
    if (!canary || after.remotes[name]?.canary) return []

    const { version } = canary.release
    // A canary that was promoted is live.
    if (version === versionInSite(after, name)) return []
    return [`${name} canary ${version} stopped`]
  })
