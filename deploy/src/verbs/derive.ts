import { isDeepStrictEqual } from 'node:util'
import { type Candidate, HOST_NAME } from '../builds/read-build.ts'
import { siteProblems } from '../checks/compatibility.ts'
import { checkFreeze, takesBack } from '../checks/freeze-rule.ts'
import type { SmokeLimits } from '../checks/smoke-test.ts'
import { createRejection, Rejected } from '../rejected.ts'
import { shownComposition, versionInSite } from '../site/compose.ts'
import {
  authorizeParts,
  authorizeVerb,
  authorOfChange,
  CONFIGURATION,
  type Context,
  FREEZE,
  NOTICE,
  SITE_FILES,
  SITE_SETTINGS,
} from '../site/context.ts'
import { activeNoticeOf } from '../site/notice.ts'
import { readPageSources } from '../site/page-sources.ts'
import { asStoredRecord, readHistoryEnd, requireRecord, type SiteRecord } from '../site/record.ts'
import { type PublishedBuilds, publishedBuilds } from '../site/version-folders.ts'

export interface CheckOptions extends SmokeLimits {
  readonly smoke?: boolean
  /**
   * Contract of an API that the caller starts. Unset: the live one is asked.
   */
  readonly apiContract?: string
}

export interface Expected {
  readonly name?: string | undefined
  /** Optimistic lock: fails if that part changed since this composition. */
  readonly from?: number | undefined
}

export interface Change extends Expected {
  readonly verb: string
  readonly candidates?: readonly Candidate[]
  /**
   * Called again when another deploy was faster.
   * @param before null: the site is empty
   */
  next(before: SiteRecord | null): Promise<Next> | Next
  readonly checks?: CheckOptions
}

export interface Next {
  readonly site: SiteRecord
  readonly summary: string
}

export type Derived = Awaited<ReturnType<typeof deriveRecord>>

/**
 * Returns the newest record if nothing changes.
 * @throws Rejected for a change that is not allowed or does not fit
 */
export async function deriveRecord(context: Context, change: Change) {
  const { target } = context
  const { verb, name, from, candidates = [] } = change
  authorizeVerb(context, verb)
  const { newest: before, next: number, torn } = await readHistoryEnd(target)
  if (name !== undefined) await authorizeParts(context, [name])
  if (before && from !== undefined)
    requireUnchanged(await requireRecord(target, from), before, name)
  const builds = publishedBuilds(target, candidates, await readPageSources(target))

  const { site, summary } = await change.next(before)
  const parts = differingParts(before, site)
  const named = candidates.map(({ build }) => build.name)
  await authorizeParts(context, [...named, ...parts])
  if (before) await checkFreeze(context, before, { verb, parts: [...named, ...parts] })

  const packages = parts.filter((part) => !SITE_SETTINGS.includes(part))
  const old = await rootFilesOf(builds, before, packages)
  const files = await rootFilesOf(builds, site, packages)
  if (!takesBack(verb) && files.some((file) => !old.includes(file)))
    await authorizeParts(context, [SITE_FILES])

  const problems = await siteProblems(site, builds, new Set(packages))
  if (problems.length > 0) throw new Rejected(problems)

  const changed = !before || parts.length > 0
  const record = changed ? nextRecord() : before
  return { before, record, summary, changed, candidates, builds, torn }

  function nextRecord(): SiteRecord {
    const { shown: _, ...all } = site
    // Pages read notices from the pointer, without a reload.
    const isSeen = !before || parts.some((part) => ![FREEZE, NOTICE].includes(part))
    return asStoredRecord({
      ...all,
      number,
      createdAt: target.now().toISOString(),
      notice: activeNoticeOf(site, target.now()),
      ...(!isSeen && { shown: shownComposition(before) }),
      change: { verb, packages, summary, by: authorOfChange(context) },
    })
  }
}

function requireUnchanged(expected: SiteRecord, site: SiteRecord, name: string | undefined): void {
  if (isDeepStrictEqual(partOfSite(expected, name), partOfSite(site, name))) return
  throw createRejection(
    'site',
    name ?? 'the site',
    `it has changed since composition ${expected.number}, last by ${site.change.by}: ${site.change.summary}`,
    'Look at what is live now, and try again if need be',
  )
}

/** Files at the site's root prove who owns the domain. */
async function rootFilesOf(
  builds: PublishedBuilds,
  site: SiteRecord | null,
  packages: readonly string[],
) {
  if (!site) return []
  const found = packages.map(async (name) => {
    const version = versionInSite(site, name)
    if (!version) return []
    const build = await builds.of(name, version).catch(() => null)
    const paths = Object.keys(build?.publicFiles ?? {}).filter((path) => !path.includes('/', 1))
    return paths.map((path) => name + path)
  })
  return (await Promise.all(found)).flat()
}

const partsOf = ({
  shell,
  remotes,
  config,
  freeze,
  notice,
}: SiteRecord): Record<string, unknown> => ({
  ...remotes,
  [HOST_NAME]: shell,
  [CONFIGURATION]: config,
  [FREEZE]: freeze,
  [NOTICE]: notice,
})

/** A change of the whole site depends on all that pages show. */
function partOfSite(site: SiteRecord, name: string | undefined): unknown {
  if (name === undefined) return shownComposition(site).number
  return partsOf(site)[name]
}

function differingParts(before: SiteRecord | null, next: SiteRecord): string[] {
  const after = partsOf(next)
  // The first publish of a shell sets the configuration of the site.
  const old = before ? partsOf(before) : { [CONFIGURATION]: after[CONFIGURATION] }
  return Object.keys({ ...old, ...after }).filter(
    (part) => !isDeepStrictEqual(old[part], after[part]),
  )
}
