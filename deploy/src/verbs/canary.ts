import { isRemote, readCandidates } from '../builds/read-build.ts'
import { rejected } from '../rejected.ts'
import {
  type Canary,
  canarySet,
  releaseOf,
  versionIn,
  withCanaries,
  withoutCanaries,
  withoutCanaryOf,
  withRelease,
} from '../site/compose.ts'
import { requireSite, type SiteState } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { applyChange, type CheckOptions, changeSite, type NextState, type Outcome } from './change.ts'

/** `mf-auth canary 1.0.1-…, mf-history canary 1.2.0-…` */
const titleOf = (canaries: Readonly<Record<string, Canary>>): string =>
  Object.entries(canaries)
    .map(([name, { release }]) => `${name} canary ${release.version}`)
    .join(', ')

/** Gives builds to a share of the visitors, several as one set. A visitor keeps the same version; a larger share only adds. */
export async function startCanary(
  target: Target,
  folders: readonly string[],
  percent: number,
  { needs, ...checks }: CheckOptions & { readonly needs?: string } = {},
): Promise<Outcome> {
  const candidates = await readCandidates(folders)
  const remotes = candidates.filter(isRemote)
  if (remotes.length < candidates.length)
    throw rejected(
      'build',
      'shell',
      'only a remote can be a canary: the shell is written into every page',
      'Publish the shell, and roll it back if need be',
    )
  const packages = remotes.map(({ build }) => build.name)
  const set = packages.length > 1 ? { set: packages.join('+') } : {}
  const canaries = Object.fromEntries(
    remotes.map((remote) => [remote.build.name, { release: releaseOf(remote), percent, ...set }]),
  )
  return await applyChange(target, {
    verb: 'canary',
    candidates,
    checks,
    next(before) {
      const site = requireSite(before)
      for (const { build, version } of remotes)
        if (versionIn(site, build.name) === version)
          throw rejected('site', build.name, `${version} is live for everyone already`, 'Build a new version')
      return {
        ...withCanaries(packages.reduce(withoutCanaryOf, site as SiteState), canaries),
        summary: [`${titleOf(canaries)} for ${percent} %`, ...(needs ? [needs] : [])].join(', '),
      }
    },
  })
}

/** What a set of canaries is for: a share of the visitors in percent, everyone, or nobody any more. */
type Audience = number | 'everyone' | 'nobody'

/** The state in which the set of a remote's canary is for others. */
export function withCanariesFor(site: SiteState, name: string, audience: Audience): NextState {
  const canaries = canarySet(site, name)
  const all = Object.entries(canaries)
  if (audience === 'nobody')
    return { ...withoutCanaries(site, Object.keys(canaries)), summary: `${titleOf(canaries)} stopped` }
  if (audience === 'everyone')
    return {
      ...all.reduce<SiteState>((state, [one, { release }]) => withRelease(state, one, release), site),
      summary: all
        .map(([one, { release }]) => `${one} ${versionIn(site, one)} → ${release.version}`)
        .join(', '),
    }
  const resized = all.map(([one, canary]) => [one, { ...canary, percent: audience }] as const)
  return {
    ...withCanaries(site, Object.fromEntries(resized)),
    summary: `${titleOf(canaries)} for ${audience} %`,
  }
}

export const changeCanary = async (
  target: Target,
  name: string,
  audience: Audience,
  from?: number,
): Promise<Outcome> =>
  await changeSite(target, audience === 'everyone' ? 'promote' : 'canary', { name, from }, (site) =>
    withCanariesFor(site, name, audience),
  )
