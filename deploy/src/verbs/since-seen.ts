import { isDeepStrictEqual } from 'node:util'
import { rejected } from '../rejected.ts'
import { requireRecord, type SiteRecord } from '../site/record.ts'
import { HOST_NAME } from '../site/version-folders.ts'
import type { Target } from '../target/target.ts'

/**
 * Guards a step that somebody takes because of what they have seen, so that two people at once take one step.
 * @param name of the package that the step is about; undefined: the whole site
 * @param seen number of the composition, or its record; undefined: nothing is asked
 * @returns throws Rejected when that part of the site has changed since
 */
export async function sinceSeen(
  target: Target,
  name: string | undefined,
  seen: SiteRecord | number | undefined,
): Promise<(site: SiteRecord) => void> {
  if (seen === undefined) return () => undefined
  const record = typeof seen === 'number' ? await requireRecord(target, seen) : seen
  return (site) => {
    if (isDeepStrictEqual(partOf(record, name), partOf(site, name))) return
    throw rejected(
      'site',
      name ?? 'the site',
      `it has changed since composition ${record.number}, last by ${site.change.by}: ${site.change.summary}`,
      'Look at what is live now, and try again if need be',
    )
  }
}

/** What a step about this package, or about the whole site, changes. */
function partOf(site: SiteRecord, name: string | undefined): unknown {
  if (name === undefined) return site.number
  return name === HOST_NAME ? site.shell : site.remotes[name]
}
