import { AsyncLocalStorage } from 'node:async_hooks'
import { hostname, userInfo } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { siteRoutes } from '@anniversary/shared/contract/routes'
import { errorMessage } from '@anniversary/shared/error-message'
import { type Candidate, hashOf } from '../builds/read-build.ts'
import { compatibilityProblems } from '../checks/compatibility.ts'
import { Rejected } from '../rejected.ts'
import { withLock } from '../target/lock.ts'
import { jsonBytes, sha256, type Target } from '../target/target.ts'
import { versionIn, versionsOf } from './compose.ts'
import { type History, openHistory } from './history.ts'
import { remember } from './known-site.ts'
import { signed } from './owners.ts'
import { recordPath, type SiteRecord, type SiteState } from './record.ts'
import {
  HOST_NAME,
  type PublishedBuilds,
  publishedBuilds,
  uploadVersions,
  versionFolder,
} from './version-folders.ts'
import { writeNewestPages } from './write-pages.ts'

/** What a verb does to a site. */
export interface Change {
  readonly verb: string
  /** Builds to upload. */
  readonly candidates?: readonly Candidate[]
  /**
   * Derives the next state. Called again when another deploy was faster.
   * @param before null: the site is empty
   */
  next(before: SiteRecord | null, history: History): Promise<NextState> | NextState
}

export interface NextState extends SiteState {
  /** One line for the history: `mf-auth 1.0.0-… → 1.0.1-…`. */
  readonly summary: string
  /** Packages that the change is about: only these are checked for compatibility. */
  readonly packages: readonly string[]
  readonly restored?: number
  readonly judgement?: SiteRecord['change']['judgement']
  /** Of a rollback: `before` of the record that it goes back to, from which the way back goes on. */
  readonly wayBack?: SiteRecord['before']
  /** Absent: no change. Outside the state, so that a rollback restores no revoked key. */
  readonly newOwners?: NonNullable<SiteRecord['owners']>
  /** Writes a record even if the state stays the same. */
  readonly always?: boolean
}

export interface Outcome {
  readonly record: SiteRecord
  readonly summary: string
  /** False: the site already was in that state, and nothing was written. */
  readonly changed: boolean
  /** For the person who deploys; no reason to reject. */
  readonly warnings: readonly string[]
}

/** Person who pressed a button of the control page: the author of the changes made within `run`. */
export const onBehalf = new AsyncLocalStorage<string>()

/** Author of a change: `onBehalf`, else `DEPLOY_BY`, else this machine's user. */
export const author = (): string =>
  onBehalf.getStore() ?? process.env.DEPLOY_BY ?? `${userName()}@${hostname()}`
function userName(): string {
  try {
    return userInfo().username
  } catch {
    // In a container, the user's number may have no account.
    return `uid ${process.getuid?.() ?? '?'}`
  }
}

/**
 * Changes the site: derives the next state, checks it, writes its record, then pages and pointer. Several deploys at
 * once all land, each on top of the one before.
 * @throws Rejected before anything was written
 */
export async function applyChange(
  target: Target,
  change: Change,
  now: () => Date = () => new Date(),
): Promise<Outcome> {
  // On a full disk a rollback or a kill switch may use the reserve; a publish may not.
  if (!change.candidates) target.spendReserve?.()
  const outcome = await withLock(target, async () => {
    for (;;) {
      const { history, builds, next, record, changed } = await derive(target, change, now())
      const { number } = record
      const { summary } = next
      // Under the lock, because `prune` removes files that no record uses yet.
      await uploadVersions(target, change.candidates ?? [])
      if (changed) {
        const bytes = jsonBytes(record)
        // Only one process can create each number. The others start over.
        if (!(await target.create(recordPath(number), bytes))) continue
        const hash = sha256(bytes)
        if (record.owners) await remember(target, { root: history.root ?? hash, number, hash })
      }
      await writeNewestPages(target, builds).catch((cause: unknown) => {
        throw new Error(
          `Composition ${number} is recorded (${summary}), but not all of its pages: ${errorMessage(cause)}. Run \`deploy verify --repair\` to write them.`,
          { cause },
        )
      })
      return { record, summary, changed, warnings: goneRoutes(history.newest, next) }
    }
  })
  await target.keepReserve?.()
  return outcome
}

/**
 * What a change would do to the site as it is now.
 * @returns `record`: the next one; the newest one if nothing changes
 * @throws Rejected
 */
export async function derive(target: Target, change: Change, now = new Date()) {
  const history = await openHistory(target)
  const { newest } = history
  const builds = publishedBuilds(target, change.candidates, history.builds)
  const next = await change.next(newest, history)
  await check(builds, next)
  if (newest && isSame(newest, next)) return { history, builds, next, record: newest, changed: false }
  const record = await recordAfter(history, builds, change, next, now)
  return { history, builds, next, record, changed: true }
}

const stateOf = ({ shell, remotes, config }: SiteState): SiteState => ({ shell, remotes, config })

const isSame = (before: SiteRecord, next: NextState): boolean =>
  !next.always &&
  isDeepStrictEqual(stateOf(before), stateOf(next)) &&
  isDeepStrictEqual(before.owners, next.newOwners ?? before.owners)

/** @throws Rejected when the site has owners, and this deploy's key does not own what changes */
async function recordAfter(
  history: History,
  builds: PublishedBuilds,
  { verb, candidates = [] }: Change,
  next: NextState,
  now: Date,
): Promise<SiteRecord> {
  const last = history.newest
  const before = wayBack(last, next)
  const owners = next.newOwners ?? last?.owners
  const record: SiteRecord = {
    number: (last?.number ?? 0) + 1,
    createdAt: now.toISOString(),
    ...stateOf(next),
    before,
    links: await history.links([...(last ? [last.number] : []), ...Object.values(before)]),
    builds: await buildsIn(next, history, builds, candidates),
    ...(owners && { owners }),
    change: {
      verb,
      packages: [...next.packages],
      summary: next.summary,
      by: author(),
      ...(next.restored === undefined ? {} : { restored: next.restored }),
      ...(next.judgement && { judgement: next.judgement }),
    },
  }
  return signed(last, record)
}

async function buildsIn(
  next: SiteState,
  history: History,
  builds: PublishedBuilds,
  candidates: readonly Candidate[],
): Promise<NonNullable<SiteRecord['builds']>> {
  const found = await Promise.all(
    versionsOf(next).map(async ([name, version]) => {
      const folder = versionFolder(name, version)
      const known = history.builds.get(folder)
      if (known) return [[folder, known] as const]
      // Without owners, a previous release may have a `build.json` that this version of the tool cannot read.
      const build = await builds.of(name, version).catch(() => null)
      const origin = candidates.find((one) => one.build.name === name && one.version === version)?.origin
      return build ? [[folder, { hash: hashOf(build), ...(origin && { origin }) }] as const] : []
    }),
  )
  return Object.fromEntries(found.flat())
}

/** By package, for those that have one. */
function wayBack(last: SiteRecord | null, next: NextState): SiteRecord['before'] {
  if (!last) return {}
  const backOf = (name: string): number | undefined => {
    const left = versionIn(last, name)
    if (!left || left === versionIn(next, name)) return last.before[name]
    if (next.wayBack) return next.wayBack[name]
    // A version that was switched off is no way back.
    return last.remotes[name]?.status === 'off' ? last.before[name] : last.number
  }
  const entries = [HOST_NAME, ...Object.keys(next.remotes)].flatMap((name): [string, number][] => {
    const number = backOf(name)
    return number === undefined ? [] : [[name, number]]
  })
  return Object.fromEntries(entries)
}

async function check(builds: PublishedBuilds, next: NextState): Promise<void> {
  const host = await builds.host(next.shell.version)
  const remotes = await Promise.all(
    Object.entries(next.remotes).flatMap(([name, { current, canary }]) =>
      [current, ...(canary ? [canary.release] : [])].map(({ version }) => builds.remote(name, version)),
    ),
  )
  const problems = compatibilityProblems({ host, remotes }, new Set(next.packages))
  if (problems.length > 0) throw new Rejected(problems)
}

/** Warns of routes that a change removes, since that is rarely intended. */
function goneRoutes(before: SiteState | null, next: SiteState): string[] {
  const left = siteRoutes({}, next.remotes)
  return Object.keys(siteRoutes({}, before?.remotes ?? {}))
    .filter((path) => !left[path])
    .map((path) => `${path} is no longer a page of the site`)
}
