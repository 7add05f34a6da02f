import { compatible } from '@anniversary/shared/contract/contract-version'
import { HOST_NAME } from '../builds/read-build.ts'
import { type Rejected, rejected } from '../rejected.ts'
import { remoteOf, versionIn, without, withoutCanary, withRemote } from '../site/compose.ts'
import { authorize, type Context } from '../site/context.ts'
import {
  currentSite,
  earlierRecords,
  pointerNumber,
  requireRecord,
  type SiteRecord,
} from '../site/record.ts'
import { writeNewestPages } from '../site/write-pages.ts'
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
  const newest = await currentSite(target)
  const expected = to === undefined ? (from ?? newest.number) : undefined
  if (expected === newest.number && (await isUnfinished(target, newest, name)))
    return await finish(context, newest, name)
  return await changeSite(context, 'rollback', { name, from: expected }, (site) =>
    name === undefined ? rollbackSite(target, site, to) : rollbackPackage(target, site, name, to),
  )
}

/** Whether the newest record is the same rollback, which died before all pages showed it. */
async function isUnfinished(
  target: Target,
  { number, change }: SiteRecord,
  name: string | undefined,
) {
  const isSame = name === undefined ? change.restored !== undefined : change.packages.includes(name)
  return change.verb === 'rollback' && isSame && (await pointerNumber(target)) !== number
}

async function finish(
  context: Context,
  record: SiteRecord,
  name: string | undefined,
): Promise<Outcome> {
  await authorize(context, name === undefined ? record.change.packages : [name])
  await writeNewestPages(context.target)
  const summary = `composition ${record.number} finished: ${record.change.summary}`
  return { record, summary, changed: true, warnings: [], smoke: [] }
}

async function rollbackSite(
  target: Target,
  site: SiteRecord,
  to: number | undefined,
): Promise<Next> {
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
  const record =
    to === undefined ? await earlier(target, site, name) : await requireRecord(target, to)
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
    if (
      name === HOST_NAME ||
      compatible(site.shell.contract, remoteOf(record, name).current.contract)
    )
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
