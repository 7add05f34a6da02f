import { isDeepStrictEqual } from 'node:util'
import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { isRemote, readCandidates } from '../builds/candidates.ts'
import { rejected } from '../rejected.ts'
import type { NextState, Outcome } from '../site/change.ts'
import { releaseOf, remoteOf, withCanary, withoutCanary, withRelease } from '../site/compose.ts'
import { requireSite, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { changeSite } from './change-site.ts'
import { type PublishOptions, stage } from './publish.ts'

/**
 * Gives a build to a share of the visitors. The shell draws a random number for each visitor once, so a visitor keeps
 * the same version, and a larger share only adds visitors.
 * @param percent of the visitors, 0 to 100
 */
export async function startCanary(
  target: Target,
  folder: string,
  percent: number,
  options: PublishOptions = {},
): Promise<Outcome> {
  const candidates = await readCandidates([folder])
  const [candidate] = candidates
  if (!candidate || !isRemote(candidate))
    throw rejected(
      'build',
      candidate?.build.name ?? folder,
      'only a remote can be a canary: the shell is written into every page',
      'Publish the shell, and roll it back if need be',
    )
  const { version } = candidate
  const { name } = candidate.build
  const next = (before: SiteRecord | null): NextState => {
    const site = requireSite(before)
    if (remoteOf(site, name).current.version === version)
      throw rejected('site', name, `${version} is live for everyone already`, 'Build a new version')
    return {
      ...withCanary(site, name, releaseOf(candidate), percent),
      summary: `${name} canary ${version} for ${percent} %`,
      packages: [name],
    }
  }
  return await stage(target, { verb: 'canary', candidates, next }, options)
}

/** Changes the share of visitors that get the canary. */
export const resizeCanary = async (target: Target, name: string, percent: number): Promise<Outcome> =>
  await changeCanary(target, 'canary', name, {}, (site, { release }) => ({
    ...withCanary(site, name, release, percent),
    summary: `${name} canary ${release.version} for ${percent} %`,
  }))

/**
 * Ends the canary: everyone gets the current version.
 * @param from number of a composition: refuses if the remote has changed since
 */
export const stopCanary = async (target: Target, name: string, from?: number): Promise<Outcome> =>
  await changeCanary(target, 'canary', name, { from }, (site, { release }) => ({
    ...withoutCanary(site, name),
    summary: `${name} canary ${release.version} stopped`,
  }))

/**
 * Gives the canary to everyone.
 * @param from as for `stopCanary`
 */
export const promote = async (target: Target, name: string, from?: number): Promise<Outcome> =>
  await changeCanary(target, 'promote', name, { from }, (site, { release }) => ({
    ...withRelease(site, name, release),
    summary: `${name} ${remoteOf(site, name).current.version} → ${release.version}`,
  }))

type Canary = NonNullable<ComposedRemote['canary']>

/** What a judge has seen of a canary, and what must stay the same while it judges. */
interface SeenCanary {
  readonly version: string
  readonly current: string
  readonly percent: number
}

/**
 * @throws Rejected when the remote has no canary
 */
function requireCanary(site: SiteRecord, name: string): Canary {
  const { canary } = remoteOf(site, name)
  if (canary) return canary
  throw rejected('site', name, 'it has no canary', `Start one: deploy canary ./${name} --percent 5`)
}

export function seenOf(site: SiteRecord, name: string): SeenCanary {
  const { release, percent } = requireCanary(site, name)
  return { version: release.version, current: remoteOf(site, name).current.version, percent }
}

/**
 * @param seen.from number of a composition: refuses if the remote has changed since
 * @param seen.canary fails if the canary is another one now
 */
export const changeCanary = async (
  target: Target,
  verb: string,
  name: string,
  seen: { readonly from?: number | undefined; readonly canary?: SeenCanary },
  next: (site: SiteRecord, canary: Canary) => Omit<NextState, 'packages'>,
): Promise<Outcome> =>
  await changeSite(target, verb, { name, from: seen.from }, (site) => {
    // Not Rejected, which would end a judge: it looks again.
    if (seen.canary && !isDeepStrictEqual(seen.canary, seenOf(site, name)))
      throw new Error(`The canary of ${name} was changed meanwhile (${site.change.summary}); judge it again`)
    return { ...next(site, requireCanary(site, name)), packages: [name] }
  })
