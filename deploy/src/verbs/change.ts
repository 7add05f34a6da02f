import { isDeepStrictEqual } from 'node:util'
import { siteRoutes } from '@anniversary/shared/contract/routes'
import { errorMessage } from '@anniversary/shared/error-message'
import { type Candidate, HOST_NAME, isHost, isRemote } from '../builds/read-build.ts'
import { siteProblems } from '../checks/compatibility.ts'
import { sizeProblems } from '../checks/page-sizes.ts'
import { smokeTest } from '../checks/smoke-test.ts'
import { Rejected, rejected } from '../rejected.ts'
import { pagePolicy } from '../serve/headers.ts'
import { author, authorize, CHECKS, CONFIGURATION } from '../site/caller.ts'
import { compositionOf, versionIn, versionsOf } from '../site/compose.ts'
import {
  newestRecord,
  recordPath,
  requireRecord,
  requireSite,
  type SiteRecord,
  type SiteState,
  type Verdict,
} from '../site/record.ts'
import { buildPath, pathOf, publishedBuilds, uploadVersions } from '../site/version-folders.ts'
import { writeNewestPages } from '../site/write-pages.ts'
import { isDry } from '../target/overlay-target.ts'
import { jsonBytes, type Target } from '../target/target.ts'

export interface Change {
  readonly verb: string
  readonly candidates?: readonly Candidate[]
  /** Derives the next state; again when another deploy was faster. @param before null: the site is empty */
  next(before: SiteRecord | null): Promise<NextState> | NextState
  /** How its builds are checked; absent: it brings none. */
  readonly checks?: CheckOptions
}

export interface CheckOptions extends NonNullable<Parameters<typeof smokeTest>[2]> {
  /** A rule that is set aside. */
  readonly force?: 'size'
  /** Loads the site in a browser as it would be after the change (checks/smoke-test.ts). */
  readonly smoke?: boolean
}

export interface NextState extends SiteState {
  /** One line for the history: `mf-auth 1.0.0-… → 1.0.1-…`. */
  readonly summary: string
  readonly restored?: number
  /** Set by a rollback: `before` of the record that it goes back to, from which the way back goes on. */
  readonly wayBack?: SiteRecord['before']
}

type Derived = Awaited<ReturnType<typeof derive>>

interface Checked {
  readonly warnings: readonly string[]
  readonly verdicts: readonly Verdict[]
}

export interface Outcome extends Pick<Derived, 'record' | 'summary' | 'changed'>, Checked {}

/**
 * Derives the next state, checks it, writes its record, then pages and pointer. Several deploys at once all land, because
 * only one process can create the record of a number.
 */
export async function applyChange(target: Target, change: Change): Promise<Outcome> {
  let derived = await derive(target, change)
  const { warnings, verdicts }: Checked =
    derived.changed && change.checks
      ? await checkBuilds(target, derived, change.checks)
      : { warnings: [], verdicts: [] }
  await uploadVersions(target, derived.candidates)
  while (derived.changed && !(await writeRecord(target, derived, verdicts)))
    derived = await derive(target, change)
  const { before, record, summary, changed, candidates } = derived
  try {
    // A prune at the same time may have removed files that were there already.
    if (changed) await uploadVersions(target, candidates)
    await writeNewestPages(target)
  } catch (cause) {
    if (!changed) throw cause
    throw new Error(
      `Composition ${record.number} is recorded (${summary}), but not all of its files: ${errorMessage(cause)}. Run \`deploy verify --repair\` to write its pages.`,
      { cause },
    )
  }
  const isTold = changed && ANNOUNCED.has(change.verb) && !isDry(target)
  const told = isTold
    ? await announce(`${target.url} ${record.number}: ${summary} (${change.verb} by ${author()})`)
    : []
  return {
    record,
    summary,
    changed,
    verdicts,
    warnings: [...warnings, ...(before ? surprises(before, record) : []), ...told],
  }
}

const NO_EVENT_URL =
  'eventUrl is not set, so social networks show links to this site without a picture: set the address of the site, https://…'

export async function checkBuilds(
  target: Target,
  { record, builds, candidates }: Derived,
  { force, smoke, ...limits }: CheckOptions,
): Promise<Checked> {
  if (force || !smoke) await authorize([CHECKS])
  const sizes = (await Promise.all(candidates.filter(isRemote).map(sizeProblems))).flat()
  const waived = force ? sizes.splice(0) : []
  const smoked = smoke && (await smokeTest(target, { record, builds, candidates }, limits))
  const { problems, verdicts, warnings } = smoked || { problems: [], verdicts: [], warnings: [] }
  if (sizes.length + problems.length > 0) throw new Rejected([...sizes, ...problems], verdicts)
  // The browser has taken a while.
  await authorize([])
  const isBare = !record.config.eventUrl && candidates.filter(isHost).some(({ build }) => build.page?.card)
  return {
    verdicts,
    warnings: [
      ...waived.map(({ about, found }) => `${about}: ${found}`),
      ...warnings,
      ...(isBare ? [NO_EVENT_URL] : []),
    ],
  }
}

const ANNOUNCED = new Set(['canary', 'judge', 'promote', 'rollback', 'disable', 'enable'])

/** @returns false: another deploy has the number */
async function writeRecord(
  target: Target,
  { before, record, builds, candidates }: Derived,
  verdicts: readonly Verdict[],
): Promise<boolean> {
  const used = new Set((before ? versionsOf(before) : []).map((version) => buildPath(...version)))
  for (const [name, version] of versionsOf(record).filter((one) => !used.has(buildPath(...one)))) {
    const build = await builds.of(name, version)
    // `prune` spares a version whose build.json is young.
    await target.write(buildPath(name, version), jsonBytes(build))
    if (candidates.some((one) => one.version === version)) continue
    const ages = Object.keys(build.files).map((file) => target.age(pathOf(build, version, file)))
    if (!(await Promise.all(ages)).includes(null)) continue
    await target.remove(buildPath(name, version))
    throw rejected('site', name, `${version} has just been pruned`, 'Choose another version')
  }
  const change = { ...record.change, ...(verdicts.length > 0 && { verdicts }) }
  return await target.create(recordPath(record.number), jsonBytes({ ...record, change }))
}

/** @returns record: the next one; the newest one if nothing changes */
export async function derive(target: Target, change: Change) {
  const { candidates = [] } = change
  const before = await newestRecord(target)
  const builds = publishedBuilds(target, candidates)
  const next = await change.next(before)
  const differing = differingParts(before, next)
  await authorize([...candidates.map(({ build }) => build.name), ...differing])
  const packages = differing.filter((part) => part !== CONFIGURATION)
  const problems = await siteProblems(next, builds, new Set(packages))
  if (problems.length > 0) throw new Rejected(problems)
  const changed = !before || differing.length > 0
  const record = changed ? recordAfter(before, change.verb, packages, next) : before
  return { before, record, summary: next.summary, changed, candidates, builds }
}

const partsOf = ({ shell, remotes, config }: SiteState): Record<string, unknown> => ({
  ...remotes,
  [HOST_NAME]: shell,
  [CONFIGURATION]: { config },
})

function differingParts(before: SiteState | null, next: SiteState): string[] {
  const after = partsOf(next)
  // A new site begins with the configuration of whoever publishes its shell.
  const old = before ? partsOf(before) : { [CONFIGURATION]: after[CONFIGURATION] }
  return Object.keys({ ...old, ...after }).filter((part) => !isDeepStrictEqual(old[part], after[part]))
}

function recordAfter(last: SiteRecord | null, verb: string, packages: string[], next: NextState): SiteRecord {
  const { shell, remotes, config, summary, restored } = next
  const before: SiteRecord['before'] = {}
  for (const name of [HOST_NAME, ...Object.keys(remotes)]) {
    const number = last && wayBack(last, next, name)
    if (number) before[name] = number
  }
  return {
    number: (last?.number ?? 0) + 1,
    createdAt: new Date().toISOString(),
    ...{ shell, remotes, config },
    before,
    change: { verb, packages, summary, by: author(), ...(restored && { restored }) },
  }
}

function wayBack(last: SiteRecord, next: NextState, name: string): number | undefined {
  const left = versionIn(last, name)
  if (left === versionIn(next, name)) return last.before[name]
  if (!left || next.wayBack) return next.wayBack?.[name]
  // A version that was switched off is no way back.
  return last.remotes[name]?.status === 'off' ? last.before[name] : last.number
}

/** What is rarely intended, or wants a step elsewhere: the small server takes a new policy by itself, others do not. */
function surprises(before: SiteRecord, after: SiteRecord): string[] {
  const left = siteRoutes({}, after.remotes)
  const gone = Object.keys(siteRoutes({}, before.remotes)).filter((path) => !left[path])
  const policyOf = (record: SiteRecord) => pagePolicy(compositionOf(record), record.config)
  return [
    ...gone.map((path) => `${path} is no longer a page of the site`),
    ...(policyOf(before) === policyOf(after)
      ? []
      : ["the pages' content security policy is another now: give nginx or the CDN its headers anew"]),
  ]
}

/** What somebody saw of a site when they decided on a change: of two people at once, only one makes it. */
export interface Seen {
  readonly name?: string | undefined
  /** Number of the composition that they saw; absent: nothing is compared. */
  readonly from?: number | undefined
}

export async function changeSite(
  target: Target,
  verb: string,
  { name, from }: Seen,
  next: (site: SiteRecord) => Promise<NextState> | NextState,
): Promise<Outcome> {
  const seen = from === undefined ? undefined : await requireRecord(target, from)
  return await applyChange(target, {
    verb,
    async next(before) {
      const site = requireSite(before)
      // Also where nothing would change.
      if (name !== undefined) await authorize([name])
      if (seen && !isDeepStrictEqual(partOf(seen, name), partOf(site, name)))
        throw rejected(
          'site',
          name ?? 'the site',
          `it has changed since composition ${seen.number}, last by ${site.change.by}: ${site.change.summary}`,
          'Look at what is live now, and try again if need be',
        )
      return await next(site)
    },
  })
}

const partOf = (site: SiteRecord, name: string | undefined): unknown =>
  name === undefined ? site.number : partsOf(site)[name]

/** Tells the channel behind `DEPLOY_WEBHOOK` (Slack's format). @returns what to warn of: a deaf channel stops nothing */
export async function announce(text: string): Promise<string[]> {
  const url = process.env.DEPLOY_WEBHOOK
  if (!url) return []
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
    signal: AbortSignal.timeout(5000),
  }).catch(errorMessage)
  if (typeof response === 'string') return [`DEPLOY_WEBHOOK does not answer: ${response}`]
  return response.ok ? [] : [`DEPLOY_WEBHOOK answered ${response.status}`]
}
