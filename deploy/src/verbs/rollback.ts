import { compatible } from '@anniversary/shared/contract/contract-version'
import { HOST_NAME } from '../builds/read-build.ts'
import { type Rejected, rejected } from '../rejected.ts'
import { remoteOf, versionIn, without, withoutCanary, withRemote } from '../site/compose.ts'
import type { Context } from '../site/context.ts'
import { currentSite, earlierRecords, requireRecord, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { withCanaryFor } from './canary.ts'
import { changeSite, type Expected, type Outcome } from './change.ts'
import type { Next } from './derive.ts'

interface Rollback extends Expected {
  /** Number of the composition to go back to. Unset: one step. */
  readonly to?: number | undefined
}

/**
 * Goes back by a new record. Without a name it is the whole site, configuration included.
 * @throws Rejected when what one step would leave has changed, so that two people at once go back one step, not two
 */
export async function rollback(context: Context, { name, to, from }: Rollback): Promise<Outcome> {
  const { target } = context
  const expected = to === undefined ? (from ?? (await currentSite(target)).number) : undefined
  return await changeSite(context, 'rollback', { name, from: expected }, (site) =>
    name === undefined ? rollbackSite(target, site, to) : rollbackPackage(target, site, name, to),
  )
}

async function rollbackSite(target: Target, site: SiteRecord, to: number | undefined): Promise<Next> {
  // A second rollback goes one step further back. It does not undo the first.
  const number = to ?? (site.change.restored ?? site.number) - 1
  if (number < 1) throw nothingEarlier('the site')
  const record = await requireRecord(target, number)
  return {
    site: record,
    rollbackTargets: record.before,
    summary: `the whole site as of ${number}`,
    restored: number,
  }
}

async function rollbackPackage(
  target: Target,
  site: SiteRecord,
  name: string,
  to: number | undefined,
): Promise<Next> {
  if (to === undefined && name !== HOST_NAME && remoteOf(site, name).canary)
    return withCanaryFor(site, name, 'nobody')
  const record = to === undefined ? await earlier(target, site, name) : await requireRecord(target, to)
  // The current release does not become the previous one: it is the bad one.
  return {
    site:
      name === HOST_NAME
        ? { ...site, shell: record.shell }
        : withRemote(withoutCanary(site, name), name, {
            ...without(remoteOf(record, name), 'canary'),
            status: remoteOf(site, name).status,
          }),
    rollbackTargets: record.before,
    summary: `${name} ${versionIn(site, name)} → ${versionIn(record, name)}`,
  }
}

/** Returns the record one step back. Skips versions that the shell cannot run. */
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
