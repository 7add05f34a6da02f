import type { HostBuild, RemoteBuild } from '@anniversary/shared/contract/composition'
import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import { type Candidate, readBuild } from './build-dir.ts'
import { applyChange, checkChange, type Outcome, type Plan } from './change.ts'
import { firstDraft, releaseOf, shellOf, withRelease, withShell } from './compose.ts'
import { variantsOf } from './compress.ts'
import { Refused } from './problem.ts'
import type { Draft, SiteRecord } from './record.ts'
import { HOST_NAME, versionFolder } from './site.ts'
import { jsonBytes, type Target } from './target/target.ts'

export interface PublishOptions {
  /** Configuration of a site that is published for the first time; a site that exists keeps its own. */
  readonly config?: PublicConfig
}

/**
 * Puts one build or several live, in one step: either all of them or none.
 * @param folders output folders of builds, each with its `build.json`
 * @throws Refused with every reason; nothing was changed then
 */
export const publish = async (
  target: Target,
  folders: readonly string[],
  options: PublishOptions = {},
): Promise<Outcome> => {
  const candidates = await readCandidates(folders)
  const plan: Plan = {
    ...publishPlan(candidates, options),
    upload: async () => {
      await Promise.all(candidates.map((candidate) => upload(target, candidate)))
    },
  }
  // Before a byte is uploaded, and again under the lock, since another deploy may come in between.
  await checkChange(target, plan)
  await plan.upload?.()
  return await applyChange(target, plan)
}

/** Reads builds and refuses what cannot be one site. */
export const readCandidates = async (folders: readonly string[]): Promise<Candidate[]> => {
  const candidates = await Promise.all(folders.map(readBuild))
  const names = candidates.map(({ build }) => build.name)
  const problems = candidates.flatMap(({ build }, index) => {
    const refuse = (found: string, todo: string) => [
      { rule: 'build' as const, about: build.name, found, todo },
    ]
    if (names.indexOf(build.name) !== index)
      return refuse('it is named twice in one publish', 'Name each build once')
    if ((build.kind === 'host') !== (build.name === HOST_NAME))
      return refuse(
        `a ${build.kind} is called ${build.name}`,
        `The host, and only the host, is called ${HOST_NAME}`,
      )
    return []
  })
  if (problems.length > 0) throw new Refused(problems)
  return candidates
}

export const publishPlan = (candidates: readonly Candidate[], { config }: PublishOptions): Plan => ({
  verb: 'publish',
  packages: candidates.map(({ build }) => build.name),
  builds: new Map(candidates.map(({ build, version }) => [`${build.name}/${version}`, build])),
  step(before) {
    const draft = candidates
      .filter(isRemote)
      .reduce(
        (site, candidate) => withRelease(site, candidate.build.name, releaseOf(candidate)),
        withHost(before, candidates.find(isHost), config),
      )
    return { draft, summary: summaryOf(before, candidates) }
  },
})

const withHost = (
  before: SiteRecord | null,
  host: Candidate<HostBuild> | undefined,
  config: PublicConfig = publicConfigSchema.parse({}),
): Draft => {
  if (before) return host ? withShell(before, shellOf(host)) : before
  if (host) return firstDraft(shellOf(host), config)
  throw new Refused([
    {
      rule: 'site',
      about: HOST_NAME,
      found: 'this site has no shell yet',
      todo: 'Publish the shell first, or with this',
    },
  ])
}

const summaryOf = (before: SiteRecord | null, candidates: readonly Candidate[]): string =>
  candidates
    .map(({ build: { name }, version }) => {
      const old = name === HOST_NAME ? before?.shell.version : before?.remotes[name]?.current.version
      return old && old !== version ? `${name} ${old} → ${version}` : `${name} ${version}`
    })
    .join(', ')

export const isHost = (candidate: Candidate): candidate is Candidate<HostBuild> =>
  candidate.build.kind === 'host'
export const isRemote = (candidate: Candidate): candidate is Candidate<RemoteBuild> =>
  candidate.build.kind === 'remote'

/**
 * Writes a version folder, its `build.json` last: where that stands, the version is whole and is never written again.
 */
export const upload = async (target: Target, { build, version, files }: Candidate): Promise<void> => {
  const folder = versionFolder(build.name, version)
  if (await target.read(`${folder}/build.json`)) return
  await Promise.all(
    [...files].map(async ([path, bytes]) => {
      const variants = await variantsOf(path, bytes)
      await Promise.all([
        target.write(`${folder}/${path}`, bytes),
        ...variants.map(([variant, compressed]) => target.write(`${folder}/${variant}`, compressed)),
      ])
    }),
  )
  await target.create(`${folder}/build.json`, jsonBytes(build))
}
