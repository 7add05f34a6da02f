import { isCompatible } from '@anniversary/shared/contract/contract-version'
import { HOST_NAME } from '../builds/read-build.ts'
import { createRejection } from '../rejected.ts'
import {
  composedRemoteOf,
  isShown,
  versionInSite,
  withoutCanary,
  withoutEndedCanaries,
  withoutRelease,
  withRemote,
} from '../site/compose.ts'
import { authorizeParts, authorizeVerb, type Context } from '../site/context.ts'
import { earlierRecords, onlyEndsCanaries, recordsBefore } from '../site/history.ts'
import {
  currentSiteRecord,
  ROLLBACKS,
  readRecord,
  readSitePointer,
  requireRecord,
  SITE_ROLLBACK,
  type SiteRecord,
} from '../site/record.ts'
import { writeNewestPages } from '../site/write-pages.ts'
import type { Target } from '../target/target.ts'
import { withCanaryFor } from './canary.ts'
import { changeSite, type Outcome } from './change.ts'
import type { Expected, Next } from './derive.ts'

interface Rollback extends Expected {
  readonly to?: number | undefined
}

/**
 * Without a name, the whole site goes back.
 * @throws Rejected after a change by somebody else, so that two people at once
 * go back one step
 */
export async function rollBackSite(
  context: Context,
  { name, to, from }: Rollback,
): Promise<Outcome> {
  const { target } = context
  const newest = await currentSiteRecord(target)
  const expected = to === undefined ? (from ?? newest.number) : undefined
  if (expected === newest.number && (await isUnfinished(target, newest, name)))
    return await finishRollback(context, newest, name)

  const verb = name === undefined ? SITE_ROLLBACK : 'rollback'
  return await changeSite(context, verb, { name, from: expected }, (site) =>
    name === undefined ? siteAsOf(target, site, to) : packageAsOf(target, site, name, to),
  )
}

/** Returns those with an earlier version, or with an unfinished rollback. */
export async function packagesToRollBack(target: Target, site: SiteRecord): Promise<string[]> {
  const before: SiteRecord[] = []
  for await (const record of recordsBefore(target, site.number)) before.push(record)
  const names: string[] = []
  for (const name of [HOST_NAME, ...Object.keys(site.remotes)])
    if ((await isUnfinished(target, site, name)) || (await earlierRecord(before, site, name)))
      names.push(name)
  return names
}

/** The rollback died before all pages showed it. */
async function isUnfinished(target: Target, newest: SiteRecord, name: string | undefined) {
  return isRollbackOf(newest, name) && !isShown(newest, await readSitePointer(target))
}

function isRollbackOf({ change }: SiteRecord, name: string | undefined): boolean {
  const { verb, packages } = change
  if (name === undefined) return verb === SITE_ROLLBACK
  return ROLLBACKS.includes(verb) && packages.includes(name)
}

async function finishRollback(
  context: Context,
  record: SiteRecord,
  name: string | undefined,
): Promise<Outcome> {
  authorizeVerb(context, record.change.verb)
  await authorizeParts(context, name === undefined ? record.change.packages : [name])
  await writeNewestPages(context.target, null)
  const summary = `composition ${record.number} finished: ${record.change.summary}`
  return { record, summary, changed: true, warnings: [], smoke: [] }
}

async function siteAsOf(target: Target, site: SiteRecord, to: number | undefined): Promise<Next> {
  let record = await recordFor(target, site, undefined, to)
  if (to !== undefined) record = withoutEndedCanaries(record, site)
  else if (onlyEndsCanaries(record, site)) await rejectStart(target, record)
  // Also a step after a rollback to a number leaves them out.
  const whole = await requireRecord(target, record.number)
  const without = withoutEndedCanaries(whole, record) === whole ? '' : ', without ended canaries'
  return {
    site: { ...record, freeze: site.freeze, notice: site.notice },
    summary: `the whole site as of ${record.number}${without}`,
  }
}

/** An alert may have stopped it. */
async function rejectStart(target: Target, { number }: SiteRecord): Promise<never> {
  const change = (await readRecord(target, number + 1))?.change
  const ended = change ? `${change.by} has stopped: ${change.summary}` : 'has ended'
  throw createRejection(
    'site',
    'the site',
    `this would start a canary again that ${ended}`,
    'Name the package that shall go back, or a composition by `--number`',
  )
}

async function packageAsOf(
  target: Target,
  site: SiteRecord,
  name: string,
  to: number | undefined,
): Promise<Next> {
  if (to === undefined && site.remotes[name]?.canary) return withCanaryFor(site, name, 'nobody')

  const isShell = name === HOST_NAME
  const status = isShell ? 'on' : composedRemoteOf(site, name).status
  const record = await recordFor(target, site, name, to)
  const summary = `${name} ${versionInSite(site, name)} → ${versionInSite(record, name)}`
  if (isShell) return { site: { ...site, shell: record.shell }, summary }

  // The current release is bad, so it does not become the previous one.
  const remote = { ...withoutRelease(composedRemoteOf(record, name), 'canary'), status }
  return { site: withRemote(withoutCanary(site, name), name, remote), summary }
}

/** Skips versions that the shell cannot run. */
async function earlierRecord(
  before: AsyncIterable<SiteRecord> | Iterable<SiteRecord>,
  site: SiteRecord,
  name: string | undefined,
): Promise<SiteRecord | null> {
  for await (const record of earlierRecords(before, site, name)) {
    const remote = name === undefined ? undefined : record.remotes[name]
    if (!remote || isCompatible(site.shell.contract, remote.current.contract)) return record
  }
  return null
}

async function recordFor(
  target: Target,
  site: SiteRecord,
  name: string | undefined,
  to: number | undefined,
): Promise<SiteRecord> {
  if (to !== undefined) return await requireRecord(target, to)
  const record = await earlierRecord(recordsBefore(target, site.number), site, name)
  if (record) return record
  throw createRejection(
    'site',
    name ?? 'the site',
    'there is no earlier version to go back to',
    'Publish a good one, or `deploy disable` a remote meanwhile',
  )
}
