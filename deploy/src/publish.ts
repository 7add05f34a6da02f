import type { HostBuild, RemoteBuild } from '@anniversary/shared/contract/composition'
import { type PublicConfig, publicConfigSchema } from '@anniversary/shared/contract/config'
import { type Candidate, readBuild } from './build-dir.ts'
import { applyChange, checkChange, type Outcome, type Plan } from './change.ts'
import { firstDraft, releaseOf, shellOf, withRelease, withShell } from './compose.ts'
import { variantsOf } from './compress.ts'
import { type Problem, Refused } from './problem.ts'
import type { Draft, SiteRecord } from './record.ts'
import { HOST_NAME, versionFolder } from './site.ts'
import { sizeProblems } from './size.ts'
import { jsonBytes, type Target } from './target/target.ts'

/** Rules that a person may set aside for once. What would break pages is never among them. */
export const WAIVABLE = ['size', 'smoke'] as const
export type Waivable = (typeof WAIVABLE)[number]

export interface PublishOptions {
  /** Configuration of a site that is published for the first time; a site that exists keeps its own. */
  readonly config?: PublicConfig
  readonly waive?: readonly Waivable[]
  /** Loads the site as it would be in a browser (smoke/smoke-test.ts). */
  readonly smoke?: (
    target: Target,
    candidates: readonly Candidate[],
    options: PublishOptions,
  ) => Promise<{ readonly problems: readonly Problem[]; readonly skipped?: string }>
}

/**
 * Puts one build or several live, in one step: either all of them or none.
 * @param folders output folders of builds, each with its `build.json`
 * @throws Refused with every reason; nothing was changed then
 */
export async function publish(
  target: Target,
  folders: readonly string[],
  options: PublishOptions = {},
): Promise<Outcome> {
  const candidates = await readCandidates(folders)
  return await bringIn(target, candidates, publishPlan(candidates, options), options)
}

/** Examines the candidates, uploads them, and carries out the plan that puts them to use. */
export async function bringIn(
  target: Target,
  candidates: readonly Candidate[],
  plan: Plan,
  options: PublishOptions,
): Promise<Outcome> {
  // Before a byte is uploaded, and again under the lock, since another deploy may come in between.
  const changes = await checkChange(target, plan)
  const warnings = changes ? await examine(target, candidates, options) : []
  const uploadAll = async () => {
    await Promise.all(candidates.map((candidate) => upload(target, candidate)))
  }
  await uploadAll()
  const outcome = await applyChange(target, { ...plan, upload: uploadAll })
  return { ...outcome, warnings: [...warnings, ...outcome.warnings] }
}

/** The rules about the candidates themselves. Returns what was set aside, as warnings. @throws Refused */
async function examine(
  target: Target,
  candidates: readonly Candidate[],
  options: PublishOptions,
): Promise<string[]> {
  const { waive = [], smoke } = options
  const sizes = (await Promise.all(candidates.filter(isRemote).map(sizeProblems))).flat()
  const refusedSizes = waive.includes('size') ? [] : sizes
  const warnings = waive.includes('size') ? sizes.map(({ about, found }) => `${about}: ${found}`) : []
  const loaded =
    smoke && !waive.includes('smoke') ? await smoke(target, candidates, options) : { problems: [] }
  const problems = [...refusedSizes, ...loaded.problems]
  if (problems.length > 0) throw new Refused(problems)
  return loaded.skipped ? [...warnings, `smoke test skipped: ${loaded.skipped}`] : warnings
}

/** Reads builds and refuses what cannot be one site. */
export async function readCandidates(folders: readonly string[]): Promise<Candidate[]> {
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

function withHost(
  before: SiteRecord | null,
  host: Candidate<HostBuild> | undefined,
  config: PublicConfig = publicConfigSchema.parse({}),
): Draft {
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
export async function upload(target: Target, { build, version, files }: Candidate): Promise<void> {
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
