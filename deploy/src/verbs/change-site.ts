import { isDeepStrictEqual } from 'node:util'
import { rejected } from '../rejected.ts'
import { applyChange, type NextState, type Outcome } from '../site/change.ts'
import type { History } from '../site/history.ts'
import { requireRecord, requireSite, type SiteRecord } from '../site/record.ts'
import { HOST_NAME } from '../site/version-folders.ts'
import type { Target } from '../target/target.ts'

/** What somebody saw of a site when they decided on a change: of two people at once, only one makes it. */
export interface Seen {
  /** The package that the change is about; absent: the whole site. */
  readonly name?: string | undefined
  /** Number of the composition that they saw, or its record; absent: nothing is compared. */
  readonly from?: SiteRecord | number | undefined
}

/**
 * Changes a site that exists.
 * @throws Rejected when nothing was published yet, or when what somebody saw has changed since
 */
export async function changeSite(
  target: Target,
  verb: string,
  { name, from }: Seen,
  next: (site: SiteRecord, history: History) => Promise<NextState> | NextState,
): Promise<Outcome> {
  const seen = typeof from === 'number' ? await requireRecord(target, from) : from
  return await applyChange(target, {
    verb,
    next(before, history) {
      const site = requireSite(before)
      if (seen && !isDeepStrictEqual(partOf(seen, name), partOf(site, name)))
        throw rejected(
          'site',
          name ?? 'the site',
          `it has changed since composition ${seen.number}, last by ${site.change.by}: ${site.change.summary}`,
          'Look at what is live now, and try again if need be',
        )
      return next(site, history)
    },
  })
}

function partOf(site: SiteRecord, name: string | undefined): unknown {
  if (name === undefined) return site.number
  return name === HOST_NAME ? site.shell : site.remotes[name]
}
