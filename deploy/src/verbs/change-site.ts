import { isDeepStrictEqual } from 'node:util'
import { HOST_NAME } from '../builds/read-build.ts'
import { rejected } from '../rejected.ts'
import { requireRecord, requireSite, type SiteRecord } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { applyChange, type NextState, type Outcome } from './change.ts'

/** What somebody saw of a site when they decided on a change: of two people at once, only one makes it. */
export interface Seen {
  /** The package that the change is about; absent: the whole site. */
  readonly name?: string | undefined
  /** Number of the composition that they saw, or its record; absent: nothing is compared. */
  readonly from?: SiteRecord | number | undefined
}

/** @throws Rejected when nothing was published yet, or when what somebody saw has changed since */
export async function changeSite(
  target: Target,
  verb: string,
  { name, from }: Seen,
  next: (site: SiteRecord) => Promise<NextState> | NextState,
): Promise<Outcome> {
  const seen = typeof from === 'number' ? await requireRecord(target, from) : from
  return await applyChange(target, {
    verb,
    next(before) {
      const site = requireSite(before)
      if (seen && !isDeepStrictEqual(partOf(seen, name), partOf(site, name)))
        throw rejected(
          'site',
          name ?? 'the site',
          `it has changed since composition ${seen.number}, last by ${site.change.by}: ${site.change.summary}`,
          'Look at what is live now, and try again if need be',
        )
      return next(site)
    },
  })
}

function partOf(site: SiteRecord, name: string | undefined): unknown {
  if (name === undefined) return site.number
  return name === HOST_NAME ? site.shell : site.remotes[name]
}
