import { isRemoteBuild } from '../builds/read-build.ts'
import { createRejection } from '../rejected.ts'
import {
  canaryOfRemote,
  composedReleaseOf,
  versionInSite,
  withCanary,
  withoutCanary,
  withRelease,
} from '../site/compose.ts'
import type { Context } from '../site/context.ts'
import { currentSiteRecord, requireSiteRecord, type SiteRecord } from '../site/record.ts'
import { applySiteChange, changeSite, type Outcome } from './change.ts'
import { openBuildFolders } from './check-builds.ts'
import type { CheckOptions, Next } from './derive.ts'

/** Visitors keep their version; a larger share only adds visitors. */
export async function startCanary(
  context: Context,
  folder: string,
  percent: number,
  checks: CheckOptions = {},
): Promise<Outcome> {
  const candidates = await openBuildFolders(context, [folder])
  const remote = candidates.find(isRemoteBuild)
  if (!remote)
    throw createRejection(
      'build',
      'shell',
      'only a remote can be a canary: the shell is written into every page',
      'Publish the shell, and roll it back if need be',
    )
  const { build, version } = remote
  return await applySiteChange(context, {
    verb: 'canary',
    candidates,
    checks,
    next(before) {
      const site = requireSiteRecord(before)
      if (versionInSite(site, build.name) === version)
        throw createRejection(
          'site',
          build.name,
          `${version} is live for everyone already`,
          'Build a new version',
        )
      return {
        site: withCanary(site, build.name, { release: composedReleaseOf(remote), percent }),
        summary: `${build.name} canary ${version} for ${percent} %`,
      }
    },
  })
}

type Audience = number | 'everyone' | 'nobody'

export function withCanaryFor(site: SiteRecord, name: string, audience: Audience): Next {
  const canary = canaryOfRemote(site, name)
  const { release } = canary
  const title = `${name} canary ${release.version}`
  switch (audience) {
    case 'nobody':
      return { site: withoutCanary(site, name), summary: `${title} stopped` }
    case 'everyone':
      return {
        site: withRelease(site, name, release),
        summary: `${name} ${versionInSite(site, name)} → ${release.version}`,
      }
    default:
      return {
        site: withCanary(site, name, { ...canary, percent: audience }),
        summary: `${title} for ${audience} %`,
      }
  }
}

/** @throws Rejected when the remote has changed since this began */
export async function changeCanary(
  context: Context,
  name: string,
  audience: Audience,
  from?: number,
): Promise<Outcome> {
  const expected = from ?? (await currentSiteRecord(context.target)).number
  return await changeSite(context, verbOf(audience), { name, from: expected }, (site) =>
    withCanaryFor(site, name, audience),
  )
}

function verbOf(audience: Audience): string {
  if (audience === 'everyone') return 'promote'
  if (audience === 'nobody') return 'canary stop'
  return 'canary'
}
