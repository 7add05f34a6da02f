import type { Candidate } from '../build-dir.ts'
import { applyChange, type Outcome, type Plan } from '../change.ts'
import { releaseOf, remoteOf, withCanary, withoutCanary, withRelease } from '../compose.ts'
import { Refused } from '../problem.ts'
import { bringIn, isRemote, type PublishOptions, readCandidates } from '../publish.ts'
import type { Target } from '../target/target.ts'
import { existing } from './existing.ts'

/**
 * Gives a build to a share of the visitors. A visitor stays on the side that chance once chose (shell: by a random
 * number of theirs), and a larger share only ever adds visitors.
 * @param percent of the visitors, 0 to 100
 */
export async function startCanary(
  target: Target,
  folder: string,
  percent: number,
  options: PublishOptions = {},
): Promise<Outcome> {
  const [candidate] = await readCandidates([folder])
  if (!candidate || !isRemote(candidate)) throw notARemote(candidate)
  const { name } = candidate.build
  const plan: Plan = {
    verb: 'canary',
    packages: [name],
    builds: new Map([[`${name}/${candidate.version}`, candidate.build]]),
    step: (before) => {
      const site = existing(before)
      if (remoteOf(site, name).current.version === candidate.version)
        throw alreadyLive(name, candidate.version)
      return {
        draft: withCanary(site, name, releaseOf(candidate), percent),
        summary: `${name} canary ${candidate.version} for ${percent} %`,
      }
    },
  }
  return await bringIn(target, [candidate], plan, options)
}

/** Changes the share of visitors that get the canary. */
export const resizeCanary = async (target: Target, name: string, percent: number): Promise<Outcome> =>
  await applyChange(target, {
    verb: 'canary',
    packages: [name],
    step: (before) => {
      const site = existing(before)
      const { release } = canaryOf(site, name)
      return {
        draft: withCanary(site, name, release, percent),
        summary: `${name} canary ${release.version} for ${percent} %`,
      }
    },
  })

/** Ends the canary: everyone has the current version. */
export const stopCanary = async (target: Target, name: string): Promise<Outcome> =>
  await applyChange(target, {
    verb: 'canary',
    packages: [name],
    step: (before) => {
      const site = existing(before)
      const { release } = canaryOf(site, name)
      return { draft: withoutCanary(site, name), summary: `${name} canary ${release.version} stopped` }
    },
  })

/** Gives the canary to everyone. */
export const promote = async (target: Target, name: string): Promise<Outcome> =>
  await applyChange(target, {
    verb: 'promote',
    packages: [name],
    step: (before) => {
      const site = existing(before)
      const { release } = canaryOf(site, name)
      const { version } = remoteOf(site, name).current
      return { draft: withRelease(site, name, release), summary: `${name} ${version} → ${release.version}` }
    },
  })

function canaryOf(site: Parameters<typeof remoteOf>[0], name: string) {
  const { canary } = remoteOf(site, name)
  if (canary) return canary
  throw new Refused([
    {
      rule: 'site',
      about: name,
      found: 'it has no canary',
      todo: `Start one: deploy canary ./${name} --percent 5`,
    },
  ])
}

const alreadyLive = (name: string, version: string): Refused =>
  new Refused([
    {
      rule: 'site',
      about: name,
      found: `${version} is live for everyone already`,
      todo: 'Build a new version',
    },
  ])

const notARemote = (candidate: Candidate | undefined): Refused =>
  new Refused([
    {
      rule: 'build',
      about: candidate?.build.name ?? 'the build',
      found: 'only a remote can be a canary: the shell is written into every page',
      todo: 'Publish the shell, and roll it back if need be',
    },
  ])
