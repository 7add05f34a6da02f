import { hostname, userInfo } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { siteRoutes } from '@anniversary/shared/contract/routes'
import { errorMessage } from '@anniversary/shared/error-message'
import type { Candidate } from '../builds/read-build.ts'
import { compatibilityProblems, type ProposedRemote } from '../checks/compatibility.ts'
import { Rejected } from '../rejected.ts'
import { withLock } from '../target/lock.ts'
import { jsonBytes, type Target } from '../target/target.ts'
import { newestRecord, recordPath, type SiteRecord, type SiteState } from './record.ts'
import { HOST_NAME, type PublishedBuilds, publishedBuilds, uploadVersions } from './version-folders.ts'
import { writeNewestPages } from './write-pages.ts'

/** What a verb does to a site. */
export interface Change {
  readonly verb: string
  /** Builds to upload. */
  readonly candidates?: readonly Candidate[]
  /**
   * Derives the next state; called again when another deploy got in between.
   * @param before null: the site is empty
   */
  next(before: SiteRecord | null): Promise<NextState> | NextState
}

export interface NextState extends SiteState {
  /** One line for people: `mf-auth 1.0.0-… → 1.0.1-…`. */
  readonly summary: string
  /** Packages that the change is about: only these are checked for compatibility. */
  readonly packages: readonly string[]
  readonly restored?: number
  /** `before` of the next record; default: what is left becomes the way back. */
  readonly wayBack?: SiteRecord['before']
}

export interface Outcome {
  readonly record: SiteRecord
  readonly summary: string
  /** False: the site already was in that state, and nothing was written. */
  readonly changed: boolean
  /** Worth knowing, but no reason to reject. */
  readonly warnings: readonly string[]
}

/** Author of a change, for the history: `DEPLOY_BY`, or this machine's user. */
export const author = (): string => process.env.DEPLOY_BY ?? `${userName()}@${hostname()}`
function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a number that no account has.
    return `uid ${process.getuid?.() ?? '?'}`
  }
}

/**
 * Changes the site: derives the next state, checks it, writes its record, then pages and pointer. Of several deploys
 * at once each lands, on top of the others.
 * @throws Rejected before anything was written
 */
export async function applyChange(
  target: Target,
  change: Change,
  now: () => Date = () => new Date(),
): Promise<Outcome> {
  // A full disk must not keep anyone from a rollback or from switching off; a publish can wait.
  if (!change.candidates) target.spendReserve?.()
  const outcome = await withLock(target, async () => {
    const builds = publishedBuilds(target, change.candidates)
    for (;;) {
      const before = await newestRecord(target)
      const next = await change.next(before)
      const { summary } = next
      await check(builds, next)
      const warnings = goneRoutes(before, next)
      // Under the lock: a prune would take away what no record uses yet.
      await uploadVersions(target, change.candidates ?? [])
      if (before && isSame(before, next)) {
        await writeNewestPages(target, builds)
        return { record: before, summary, changed: false, warnings }
      }
      const record = recordAfter(before, next, change.verb, now())
      // Only one process can create each number, so a deploy that another has overtaken starts over.
      if (!(await target.create(recordPath(record.number), jsonBytes(record)))) continue
      await writeNewestPages(target, builds).catch((cause: unknown) => {
        throw new Error(
          `Composition ${record.number} is recorded (${summary}), but not all of its pages: ${errorMessage(cause)}. Run \`deploy verify --repair\` to write them.`,
          { cause },
        )
      })
      return { record, summary, changed: true, warnings }
    }
  })
  await target.keepReserve?.()
  return outcome
}

/**
 * Checks a change without making it.
 * @returns whether it would change the site
 * @throws Rejected
 */
export async function checkChange(target: Target, change: Change): Promise<boolean> {
  const before = await newestRecord(target)
  const next = await change.next(before)
  await check(publishedBuilds(target, change.candidates), next)
  return !before || !isSame(before, next)
}

const stateOf = ({ shell, remotes, config }: SiteState): SiteState => ({ shell, remotes, config })

const isSame = (a: SiteState, b: SiteState): boolean => isDeepStrictEqual(stateOf(a), stateOf(b))

const recordAfter = (before: SiteRecord | null, next: NextState, verb: string, now: Date): SiteRecord => ({
  number: (before?.number ?? 0) + 1,
  createdAt: now.toISOString(),
  ...stateOf(next),
  before: next.wayBack ?? wayBack(before, next),
  change: {
    verb,
    packages: [...next.packages],
    summary: next.summary,
    by: author(),
    ...(next.restored === undefined ? {} : { restored: next.restored }),
  },
})

/** Whatever replaces a good version leads back to the record that has it. A remote that is switched off was not good. */
function wayBack(last: SiteRecord | null, next: NextState): SiteRecord['before'] {
  if (!last) return {}
  const entries = [HOST_NAME, ...Object.keys(next.remotes)].flatMap((name): [string, number][] => {
    const left = versionIn(last, name)
    const stays = !left || left === versionIn(next, name) || last.remotes[name]?.status === 'off'
    const number = stays ? last.before[name] : last.number
    return number === undefined ? [] : [[name, number]]
  })
  return Object.fromEntries(entries)
}

const versionIn = ({ shell, remotes }: SiteState, name: string): string | undefined =>
  name === HOST_NAME ? shell.version : remotes[name]?.current.version

async function check(builds: PublishedBuilds, next: NextState): Promise<void> {
  const host = await builds.host(next.shell.version)
  const releases = Object.entries(next.remotes).flatMap(([name, { current, canary }]) =>
    [current, ...(canary ? [canary.release] : [])].map(({ version }) => ({ name, version })),
  )
  const remotes = await Promise.all(
    releases.map(
      async ({ name, version }): Promise<ProposedRemote> => ({
        name,
        version,
        build: await builds.remote(name, version),
      }),
    ),
  )
  const problems = compatibilityProblems({ host, remotes }, new Set(next.packages))
  if (problems.length > 0) throw new Rejected(problems)
}

/** Routes that a change takes away, which is rarely meant. */
function goneRoutes(before: SiteState | null, next: SiteState): string[] {
  const left = siteRoutes({}, next.remotes)
  return Object.keys(siteRoutes({}, before?.remotes ?? {}))
    .filter((path) => !left[path])
    .map((path) => `${path} is no longer a page of the site`)
}
