import type { Release } from '@anniversary/shared/contract/composition'
import { applyChange, type Outcome, type Step } from '../change.ts'
import { backTo, remoteOf, withoutCanary, withShell } from '../compose.ts'
import { compatible } from '../contract-version.ts'
import { Refused } from '../problem.ts'
import { allRecords, readRecord, type SiteRecord } from '../record.ts'
import { HOST_NAME } from '../site.ts'
import type { Target } from '../target/target.ts'
import { existing } from './existing.ts'

export interface RollbackOptions {
  /** Package to roll back; absent: the whole site, configuration included. */
  readonly name?: string
  /** Number of the state to go back to; absent: one step. */
  readonly to?: number
}

/**
 * Goes back. Nothing is lost: the state that is left stays in the history, and the step itself is a new state.
 * @throws Refused where there is nothing to go back to, or what was there no longer fits
 */
export async function rollback(target: Target, { name, to }: RollbackOptions): Promise<Outcome> {
  if (name === undefined) return await rollbackSite(target, to)
  return await applyChange(target, {
    verb: 'rollback',
    packages: [name],
    step: async (before) => {
      const site = existing(before)
      if (name === HOST_NAME) return shellStep(site, await earlierShell(target, site, to))
      const record = to === undefined ? null : await recordOf(target, to)
      return await remoteStep(target, site, name, record)
    },
  })
}

const rollbackSite = async (target: Target, to: number | undefined): Promise<Outcome> =>
  await applyChange(target, {
    verb: 'rollback',
    step: async (before) => {
      const site = existing(before)
      // Again and again goes further back, and never to and fro between the last two.
      const number = to ?? (site.change.restored ?? site.number) - 1
      if (number < 1) throw nothingEarlier('the site')
      const { shell, remotes, config } = await recordOf(target, number)
      return {
        draft: { shell, remotes, config },
        packages: differing(site, { shell, remotes }),
        summary: `the whole site as of ${number}`,
        restored: number,
      }
    },
  })

/** Packages that the two states run in different versions. */
const differing = (a: SiteRecord, b: Pick<SiteRecord, 'shell' | 'remotes'>): string[] => [
  ...(a.shell.version === b.shell.version ? [] : [HOST_NAME]),
  ...Object.entries(b.remotes)
    .filter(([name, { current }]) => a.remotes[name]?.current.version !== current.version)
    .map(([name]) => name),
]

async function remoteStep(
  target: Target,
  site: SiteRecord,
  name: string,
  record: SiteRecord | null,
): Promise<Step> {
  const remote = remoteOf(site, name)
  if (!record && remote.canary)
    return {
      draft: withoutCanary(site, name),
      summary: `${name} canary ${remote.canary.release.version} ended, everyone has ${remote.current.version}`,
    }
  const left = remote.current.version
  const wanted = record ? remoteOf(record, name).current : remote.previous
  const earlier = await earlierReleases(target, site, name)
  const release = wanted ?? earlier.find(({ version }) => version !== left)
  if (!release) throw nothingEarlier(name)
  const previous = earlier.find(({ version }) => version !== left && version !== release.version)
  return { draft: backTo(site, name, release, previous), summary: `${name} ${left} → ${release.version}` }
}

/** Releases that were current before the one that is, the latest first, as far as the shell can run them. */
async function earlierReleases(target: Target, site: SiteRecord, name: string): Promise<Release[]> {
  const left = remoteOf(site, name).current.version
  const past = (await allRecords(target)).flatMap((record) => record.remotes[name]?.current ?? [])
  const firstOfLeft = past.findIndex(({ version }) => version === left)
  return past
    .slice(0, firstOfLeft)
    .reverse()
    .filter(({ contract }) => compatible(site.shell.contract, contract))
}

async function earlierShell(
  target: Target,
  site: SiteRecord,
  to: number | undefined,
): Promise<SiteRecord['shell']> {
  if (to !== undefined) return (await recordOf(target, to)).shell
  const past = (await allRecords(target)).map(({ shell }) => shell)
  const firstOfLeft = past.findIndex(({ version }) => version === site.shell.version)
  const found = past[firstOfLeft - 1]
  if (!found) throw nothingEarlier(HOST_NAME)
  return found
}

const shellStep = (site: SiteRecord, shell: SiteRecord['shell']): Step => ({
  draft: withShell(site, shell),
  summary: `${HOST_NAME} ${site.shell.version} → ${shell.version}`,
})

async function recordOf(target: Target, number: number): Promise<SiteRecord> {
  const record = await readRecord(target, number)
  if (record) return record
  throw new Refused([
    {
      rule: 'site',
      about: `composition ${number}`,
      found: 'it does not exist',
      todo: 'Choose one of `deploy history`',
    },
  ])
}

const nothingEarlier = (about: string): Refused =>
  new Refused([
    {
      rule: 'site',
      about,
      found: 'there is no earlier version to go back to',
      todo: 'Publish a good one, or `deploy disable` a remote meanwhile',
    },
  ])
