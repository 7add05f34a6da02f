import { isDeepStrictEqual } from 'node:util'
import { siteRoutes } from '@anniversary/shared/contract/routes'
import { headerRules } from '../serve/headers.ts'
import { compositionOf } from '../site/compose.ts'
import type { SiteRecord } from '../site/record.ts'

/** Warns of removed pages, and of headers that nginx or a CDN must be given; the small server reads them. */
export function changeWarnings(before: SiteRecord, after: SiteRecord): string[] {
  const left = siteRoutes({}, after.remotes)
  const gone = Object.keys(siteRoutes({}, before.remotes)).filter((path) => !left[path])
  const headersOf = (record: SiteRecord) => headerRules(compositionOf(record), record.config)
  return [
    ...gone.map((path) => `${path} is no longer a page of the site`),
    ...(isDeepStrictEqual(headersOf(before), headersOf(after))
      ? []
      : ["the pages' headers have changed: give them to nginx or the CDN anew"]),
  ]
}
