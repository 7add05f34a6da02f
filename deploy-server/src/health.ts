import { versionInSite } from '@anniversary/deploy/site/compose'
import type { SiteRecord } from '@anniversary/deploy/site/record'
import type { Fact } from '@anniversary/shared/contract/report'

export const FACT_TITLES: Readonly<Record<Fact, string>> = {
  threw: 'threw',
  failed: 'did not load',
  paintedLate: 'painted late',
  answeredLate: 'answered late',
}

export const RELEASE_ROLES = ['current', 'canary', 'earlier'] as const

export function releaseRole(
  site: SiteRecord,
  { remote, version }: { readonly remote: string; readonly version: string },
): (typeof RELEASE_ROLES)[number] {
  if (version === versionInSite(site, remote)) return 'current'
  if (version === site.remotes[remote]?.canary?.release.version) return 'canary'
  return 'earlier'
}

/** Shows digits only where they matter: `4.1 %`. */
export function formatShare(part: number, all: number): string {
  const percent = (100 * part) / all
  return `${percent.toFixed(percent < 10 ? 1 : 0)} %`
}

export const shortenVersion = (version: string): string =>
  version.replace(/(-[0-9a-f]{6})[0-9a-f]{6}$/, '$1')
