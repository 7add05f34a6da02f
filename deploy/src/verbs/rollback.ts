import { compatible } from '@anniversary/shared/contract/contract-version'
import { HOST_NAME } from '../builds/read-build.ts'
import { type Rejected, rejected } from '../rejected.ts'
import { remoteOf, versionIn, without, withoutCanaryOf, withRemote } from '../site/compose.ts'
import { currentSite, earlierRecords, requireRecord, type SiteRecord } from '../site/record.ts'
import { buildPath } from '../site/version-folders.ts'
import type { Target } from '../target/target.ts'
import { withCanariesFor } from './canary.ts'
import { changeSite, type NextState, type Outcome, type Seen } from './change.ts'

interface Back extends Seen {
  /** Number of the composition to go back to; absent: one step. */
  readonly to?: number | undefined
}

/**
 * Goes back by a new record. Without a name it is the whole site, configuration included.
 * @throws Rejected when what one step would leave has changed: two people at once take one
 */
export async function rollback(target: Target, { name, to, from }: Back): Promise<Outcome> {
  const seen = to === undefined ? (from ?? (await currentSite(target)).number) : undefined
  return await changeSite(target, 'rollback', { name, from: seen }, (site) =>
    name === undefined ? rollbackSite(target, site, to) : rollbackPackage(target, site, name, to),
  )
}

async function rollbackSite(target: Target, site: SiteRecord, to: number | undefined): Promise<NextState> {
  // A second rollback goes one step further back. It does not undo the first.
  const number = to ?? (site.change.restored ?? site.number) - 1
  if (number < 1) throw nothingEarlier('the site')
  const state = await restored(target, await requireRecord(target, number))
  return { ...state, wayBack: state.before, summary: `the whole site as of ${number}`, restored: number }
}

/** A previous release of an old record may be pruned. Then no page must fall back to it. */
async function restored(target: Target, record: SiteRecord): Promise<SiteRecord> {
  const remotes: SiteRecord['remotes'] = {}
  for (const [name, remote] of Object.entries(record.remotes)) {
    const { previous } = remote
    const isThere = previous && (await target.read(buildPath(name, previous.version)))
    remotes[name] = isThere ? remote : without(remote, 'previous')
  }
  return { ...record, remotes }
}

async function rollbackPackage(
  target: Target,
  site: SiteRecord,
  name: string,
  to: number | undefined,
): Promise<NextState> {
  if (to === undefined && name !== HOST_NAME && remoteOf(site, name).canary)
    return withCanariesFor(site, name, 'nobody')
  const old = to === undefined ? await earlier(target, site, name) : await requireRecord(target, to)
  const record = await restored(target, old)
  // The current release does not become the previous one: it is the bad one.
  return {
    ...(name === HOST_NAME
      ? { ...site, shell: record.shell }
      : withRemote(withoutCanaryOf(site, name), name, {
          ...without(remoteOf(record, name), 'canary'),
          status: remoteOf(site, name).status,
        })),
    wayBack: record.before,
    summary: `${name} ${versionIn(site, name)} → ${versionIn(record, name)}`,
  }
}

/** The record one step back, which skips versions that the shell cannot run. */
async function earlier(target: Target, site: SiteRecord, name: string): Promise<SiteRecord> {
  for await (const record of earlierRecords(target, site, name))
    if (name === HOST_NAME || compatible(site.shell.contract, remoteOf(record, name).current.contract))
      return record
  throw nothingEarlier(name)
}

const nothingEarlier = (about: string): Rejected =>
  rejected(
    'site',
    about,
    'there is no earlier version to go back to',
    'Publish a good one, or `deploy disable` a remote meanwhile',
  )
