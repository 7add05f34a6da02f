import { isDeepStrictEqual } from 'node:util'
import { type Candidate, HOST_NAME } from '../builds/read-build.ts'
import { siteProblems } from '../checks/compatibility.ts'
import type { SmokeLimits } from '../checks/smoke-test.ts'
import { Rejected } from '../rejected.ts'
import { versionIn } from '../site/compose.ts'
import { authorize, authorOf, CONFIGURATION, type Context, SITE_FILES } from '../site/context.ts'
import { newestRecord, type SiteRecord } from '../site/record.ts'
import { type PublishedBuilds, publishedBuilds } from '../site/version-folders.ts'

export interface CheckOptions extends SmokeLimits {
  /** A rule that is not applied. */
  readonly force?: 'size'
  /** Loads the site in a browser as it would be after the change (checks/smoke-test.ts). */
  readonly smoke?: boolean
}

export interface Change {
  readonly verb: string
  readonly candidates?: readonly Candidate[]
  /** Derives the next composition; again when another deploy was faster. @param before null: the site is empty */
  next(before: SiteRecord | null): Promise<Next> | Next
  /** How its builds are checked. Unset when it brings none. */
  readonly checks?: CheckOptions
}

export interface Next {
  readonly site: SiteRecord
  /** One line for the history: `mf-auth 1.0.0-… → 1.0.1-…`. */
  readonly summary: string
  /** Number of the record that a rollback of the whole site restores. */
  readonly restored?: number
  /** Set by a rollback: `before` of the record that it goes back to, so that the next one goes further back. */
  readonly rollbackTargets?: SiteRecord['before']
}

export type Derived = Awaited<ReturnType<typeof derive>>

/** Derives the next composition and checks who may make it. Its record is the newest one if nothing changes. */
export async function derive(context: Context, change: Change) {
  const { candidates = [] } = change
  const before = await newestRecord(context.target)
  const builds = publishedBuilds(context.target, candidates)
  const next = await change.next(before)
  const differing = differingParts(before, next.site)
  const packages = differing.filter((part) => part !== CONFIGURATION)
  await authorize(context, [...candidates.map(({ build }) => build.name), ...differing])
  const old = await rootFilesOf(builds, before, packages)
  const files = await rootFilesOf(builds, next.site, packages)
  if (files.some((file) => !old.includes(file))) await authorize(context, [SITE_FILES])
  const problems = await siteProblems(next.site, builds, new Set(packages))
  if (problems.length > 0) throw new Rejected(problems)
  const changed = !before || differing.length > 0
  const by = authorOf(context)
  const record = changed ? recordAfter(before, { verb: change.verb, packages, by }, next) : before
  return { before, record, summary: next.summary, changed, candidates, builds }
}

/** Returns the files that packages serve at the site's root, where files prove who owns the domain. */
async function rootFilesOf(
  builds: PublishedBuilds,
  site: SiteRecord | null,
  packages: readonly string[],
) {
  const found = packages.map(async (name) => {
    const version = site && versionIn(site, name)
    const build = version ? await builds.of(name, version).catch(() => null) : null
    const paths = Object.keys(build?.publicFiles ?? {}).filter((path) => !path.includes('/', 1))
    return paths.map((path) => name + path)
  })
  return (await Promise.all(found)).flat()
}

const partsOf = ({ shell, remotes, config }: SiteRecord): Record<string, unknown> => ({
  ...remotes,
  [HOST_NAME]: shell,
  [CONFIGURATION]: config,
})

/** What a change of one package depends on: that package. A change of the whole site depends on all of it. */
export const partOf = (site: SiteRecord, name: string | undefined): unknown =>
  name === undefined ? site.number : partsOf(site)[name]

function differingParts(before: SiteRecord | null, next: SiteRecord): string[] {
  const after = partsOf(next)
  // The first publish of a shell sets the configuration of the site.
  const old = before ? partsOf(before) : { [CONFIGURATION]: after[CONFIGURATION] }
  return Object.keys({ ...old, ...after }).filter(
    (part) => !isDeepStrictEqual(old[part], after[part]),
  )
}

function recordAfter(
  last: SiteRecord | null,
  change: Omit<SiteRecord['change'], 'summary' | 'restored'>,
  next: Next,
): SiteRecord {
  const { site, summary, restored } = next
  const before: SiteRecord['before'] = {}
  for (const name of [HOST_NAME, ...Object.keys(site.remotes)]) {
    const number = last && rollbackTarget(last, next, name)
    if (number) before[name] = number
  }
  return {
    ...site,
    number: (last?.number ?? 0) + 1,
    createdAt: new Date().toISOString(),
    before,
    change: { ...change, summary, ...(restored && { restored }) },
  }
}

function rollbackTarget(
  last: SiteRecord,
  { site, rollbackTargets }: Next,
  name: string,
): number | undefined {
  const left = versionIn(last, name)
  if (left === versionIn(site, name)) return last.before[name]
  if (!left || rollbackTargets) return rollbackTargets?.[name]
  // A version that was switched off is no rollback target.
  return last.remotes[name]?.status === 'off' ? last.before[name] : last.number
}
