import { isDeepStrictEqual } from 'node:util'
import type { Release } from '@anniversary/shared/contract/composition'
import { compatible } from '@anniversary/shared/contract/contract-version'
import { type Rejected, rejected } from '../rejected.ts'
import { applyChange, type NextState, type Outcome } from '../site/change.ts'
import { backTo, remoteOf, withoutCanary, withShell } from '../site/compose.ts'
import {
  allRecords,
  newestRecord,
  requireRecord,
  requireSite,
  type SiteRecord,
  type SiteState,
} from '../site/record.ts'
import { HOST_NAME } from '../site/version-folders.ts'
import type { Target } from '../target/target.ts'

export interface RollbackOptions {
  /** Package to roll back; absent: the whole site, configuration included. */
  readonly name?: string
  /** Number of the composition to go back to; absent: one step. */
  readonly to?: number
  /** Of one step: number of a composition with what it leaves; absent: the newest. */
  readonly from?: number
}

/**
 * Goes back to an earlier state. It becomes a new record, so the state that is left stays in the history.
 * @throws Rejected when there is no earlier state, when it is no longer compatible, or when what a step would leave has
 * changed: two people at once take one step
 */
export async function rollback(target: Target, { name, to, from }: RollbackOptions): Promise<Outcome> {
  const seen = to === undefined ? await leftBy(target, from) : null
  return await applyChange(target, {
    verb: 'rollback',
    next: async (before) => {
      const site = requireSite(before)
      if (seen && !isDeepStrictEqual(partOf(seen, name), partOf(site, name)))
        throw rejected(
          'site',
          name ?? 'the site',
          `it has changed since composition ${seen.number}, last by ${site.change.by}: ${site.change.summary}`,
          'Look at `deploy status`, and roll back again if need be',
        )
      if (name === undefined) return await rollbackSite(target, site, to)
      if (name === HOST_NAME) return await rollbackShell(target, site, to)
      return await rollbackRemote(target, site, name, to)
    },
  })
}

const leftBy = async (target: Target, from: number | undefined): Promise<SiteRecord> =>
  from === undefined ? requireSite(await newestRecord(target)) : await requireRecord(target, from)

/** What a rollback of this package, or of the whole site, changes. */
function partOf(site: SiteRecord, name: string | undefined): unknown {
  if (name === undefined) return site.number
  return name === HOST_NAME ? site.shell : site.remotes[name]
}

async function rollbackSite(target: Target, site: SiteRecord, to: number | undefined): Promise<NextState> {
  // A second rollback goes one further back, instead of undoing the first.
  const number = to ?? (site.change.restored ?? site.number) - 1
  if (number < 1) throw nothingEarlier('the site')
  const state = await requireRecord(target, number)
  return {
    ...state,
    packages: changedPackages(site, state),
    summary: `the whole site as of ${number}`,
    restored: number,
  }
}

/** Packages of `b` that run in another version than in `a`. */
const changedPackages = (a: SiteState, b: SiteState): string[] => [
  ...(a.shell.version === b.shell.version ? [] : [HOST_NAME]),
  ...Object.entries(b.remotes)
    .filter(([name, { current }]) => a.remotes[name]?.current.version !== current.version)
    .map(([name]) => name),
]

async function rollbackShell(target: Target, site: SiteRecord, to: number | undefined): Promise<NextState> {
  const shell = to === undefined ? await earlierShell(target, site) : (await requireRecord(target, to)).shell
  return {
    ...withShell(site, shell),
    summary: `${HOST_NAME} ${site.shell.version} → ${shell.version}`,
    packages: [HOST_NAME],
  }
}

async function earlierShell(target: Target, site: SiteRecord): Promise<SiteRecord['shell']> {
  const past = (await allRecords(target)).map(({ shell }) => shell)
  const first = past.findIndex(({ version }) => version === site.shell.version)
  const found = past[first - 1]
  if (!found) throw nothingEarlier(HOST_NAME)
  return found
}

async function rollbackRemote(
  target: Target,
  site: SiteRecord,
  name: string,
  to: number | undefined,
): Promise<NextState> {
  const record = to === undefined ? null : await requireRecord(target, to)
  const { canary, current, previous: lastGood } = remoteOf(site, name)
  if (!record && canary)
    return {
      ...withoutCanary(site, name),
      summary: `${name} canary ${canary.release.version} ended, everyone has ${current.version}`,
      packages: [name],
    }
  const left = current.version
  const earlier = await earlierReleases(target, site, name)
  const wanted = record ? remoteOf(record, name).current : lastGood
  const release = wanted ?? earlier.find(({ version }) => version !== left)
  if (!release) throw nothingEarlier(name)
  const previous = earlier.find(({ version }) => version !== left && version !== release.version)
  return {
    ...backTo(site, name, release, previous),
    summary: `${name} ${left} → ${release.version}`,
    packages: [name],
  }
}

/** Releases that were live before the current one and that the shell can run, newest first. */
async function earlierReleases(target: Target, site: SiteRecord, name: string): Promise<Release[]> {
  const left = remoteOf(site, name).current.version
  const past = (await allRecords(target)).flatMap((record) => record.remotes[name]?.current ?? [])
  const first = past.findIndex(({ version }) => version === left)
  return past
    .slice(0, first)
    .reverse()
    .filter(({ contract }) => compatible(site.shell.contract, contract))
}

const nothingEarlier = (about: string): Rejected =>
  rejected(
    'site',
    about,
    'there is no earlier version to go back to',
    'Publish a good one, or `deploy disable` a remote meanwhile',
  )
