import { siteRoutes } from '@anniversary/shared/contract/routes'
import { pagePolicy } from '../serve/headers.ts'
import { compositionOf } from '../site/compose.ts'
import type { SiteRecord } from '../site/record.ts'

/** Warns of removed pages, and of a policy that nginx or a CDN must be given; the small server reads it. */
export function changeWarnings(before: SiteRecord, after: SiteRecord): string[] {
  const left = siteRoutes({}, after.remotes)
  const gone = Object.keys(siteRoutes({}, before.remotes)).filter((path) => !left[path])
  const policyOf = (record: SiteRecord) => pagePolicy(compositionOf(record), record.config)
  return [
    ...gone.map((path) => `${path} is no longer a page of the site`),
    ...(policyOf(before) === policyOf(after)
      ? []
      : ["the pages' content security policy is another now: give nginx or the CDN its headers anew"]),
  ]
}
