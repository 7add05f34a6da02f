import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { isRemote, readCandidates } from '../builds/read-build.ts'
import { rejected } from '../rejected.ts'
import { releaseOf, remoteOf, withCanary, withoutCanary, withRelease } from '../site/compose.ts'
import { requireSite, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { applyChange, type NextState, type Outcome } from './change.ts'
import { changeSite, type Seen } from './change-site.ts'
import { type PublishOptions, validate } from './publish.ts'

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
  return await applyChange(target, {
    verb: 'canary',
    candidates,
    next,
    validate: (derived) => validate(target, derived, options),
  })
}

export const resizeCanary = async (target: Target, name: string, percent: number): Promise<Outcome> =>
  await changeCanary(target, 'canary', { name }, (site, { release }) => ({
    ...withCanary(site, name, release, percent),
    summary: `${name} canary ${release.version} for ${percent} %`,
  }))

/**
 * Ends the canary: everyone gets the current version.
 * @param from number of a composition: refuses if the remote has changed since
 */
export const stopCanary = async (target: Target, name: string, from?: number): Promise<Outcome> =>
  await changeCanary(target, 'canary', { name, from }, (site, { release }) => ({
    ...withoutCanary(site, name),
    summary: `${name} canary ${release.version} stopped`,
  }))

/** @param from as for `stopCanary` */
export const promote = async (target: Target, name: string, from?: number): Promise<Outcome> =>
  await changeCanary(target, 'promote', { name, from }, (site, { release }) => ({
    ...withRelease(site, name, release),
    summary: `${name} ${remoteOf(site, name).current.version} → ${release.version}`,
  }))

type Canary = NonNullable<ComposedRemote['canary']>

export function canaryOf(site: SiteRecord, name: string): Canary {
  const { canary } = remoteOf(site, name)
  if (canary) return canary
  throw rejected('site', name, 'it has no canary', `Start one: deploy canary ./${name} --percent 5`)
}

/** @throws Rejected when the remote has no canary, or has changed since `seen.from` */
export const changeCanary = async (
  target: Target,
  verb: string,
  seen: Seen & { readonly name: string },
  next: (site: SiteRecord, canary: Canary) => Omit<NextState, 'packages'>,
): Promise<Outcome> =>
  await changeSite(target, verb, seen, (site) => ({
    ...next(site, canaryOf(site, seen.name)),
    packages: [seen.name],
  }))
