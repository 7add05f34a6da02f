import { isRemote, readCandidates } from '../builds/read-build.ts'
import { rejected } from '../rejected.ts'
import {
  type Canary,
  canarySet,
  releaseOf,
  remoteOf,
  withCanaries,
  withoutCanaries,
  withRelease,
} from '../site/compose.ts'
import { requireSite, type SiteRecord, type SiteState } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { applyChange, changeSite, type NextState, type Outcome, type Seen } from './change.ts'
import { type PublishOptions, validate } from './publish.ts'

type Canaries = Readonly<Record<string, Canary>>

/** `mf-auth canary 1.0.1-…, mf-history canary 1.2.0-…` */
export const titleOf = (canaries: Canaries): string =>
  Object.entries(canaries)
    .map(([name, { release }]) => `${name} canary ${release.version}`)
    .join(', ')

/** Gives builds to a share of the visitors, several as one set. A visitor keeps the same version; a larger share only adds. */
export async function startCanary(
  target: Target,
  folders: readonly string[],
  percent: number,
  { needs, ...options }: PublishOptions & { readonly needs?: string } = {},
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
    validate: (derived) => validate(target, derived, options),
    next(before) {
      const site = requireSite(before)
      for (const { build, version } of remotes)
        if (remoteOf(site, build.name).current.version === version)
          throw rejected('site', build.name, `${version} is live for everyone already`, 'Build a new version')
      // What was one set with a canary that is replaced fits together only.
      const replaced = packages.filter((name) => site.remotes[name]?.canary)
      const ended = replaced.flatMap((name) => Object.keys(canarySet(site, name)))
      return {
        ...withCanaries(withoutCanaries(site, ended), canaries),
        summary: [`${titleOf(canaries)} for ${percent} %`, ...(needs ? [needs] : [])].join(', '),
        packages,
      }
    },
  })
}

export const changeCanaries = async (
  target: Target,
  verb: string,
  seen: Seen & { readonly name: string },
  next: (site: SiteRecord, canaries: Canaries) => Omit<NextState, 'packages'>,
): Promise<Outcome> =>
  await changeSite(target, verb, seen, (site) => {
    const canaries = canarySet(site, seen.name)
    return { ...next(site, canaries), packages: Object.keys(canaries) }
  })

export const resized = (canaries: Canaries, percent: number): Canaries =>
  Object.fromEntries(Object.entries(canaries).map(([name, canary]) => [name, { ...canary, percent }]))

export const promoted = (site: SiteRecord, canaries: Canaries) => ({
  ...Object.entries(canaries).reduce<SiteState>(
    (state, [name, { release }]) => withRelease(state, name, release),
    site,
  ),
  summary: Object.entries(canaries)
    .map(([name, { release }]) => `${name} ${remoteOf(site, name).current.version} → ${release.version}`)
    .join(', '),
})

export const resizeCanary = async (target: Target, name: string, percent: number): Promise<Outcome> =>
  await changeCanaries(target, 'canary', { name }, (site, canaries) => ({
    ...withCanaries(site, resized(canaries, percent)),
    summary: `${titleOf(canaries)} for ${percent} %`,
  }))

export const stopCanary = async (target: Target, name: string, from?: number): Promise<Outcome> =>
  await changeCanaries(target, 'canary', { name, from }, (site, canaries) => ({
    ...withoutCanaries(site, Object.keys(canaries)),
    summary: `${titleOf(canaries)} stopped`,
  }))

export const promote = async (target: Target, name: string, from?: number): Promise<Outcome> =>
  await changeCanaries(target, 'promote', { name, from }, promoted)
