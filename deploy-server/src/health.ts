import { versionIn } from '@anniversary/deploy/site/compose'
import type { SiteRecord } from '@anniversary/deploy/site/record'
import {
  type Counts,
  FACTS,
  type Fact,
  type VersionCounts,
} from '@anniversary/shared/contract/report'

export const TITLES: Readonly<Record<Fact, string>> = {
  threw: 'threw',
  failed: 'did not load',
  paintedLate: 'painted late',
  answeredLate: 'answered late',
}

/** Shares of a release's views that are bad in any case; 1 means no limit. */
export const LIMITS: Readonly<Record<Fact, number>> = {
  threw: 0.05,
  failed: 0.02,
  paintedLate: 1,
  answeredLate: 1,
}

const Z95 = 1.96

/** Returns a share of `n` with Wilson's interval of 95 %, which is 0 to 1 when `n` is 0. */
export function shareOf(k: number, n: number) {
  if (n === 0) return { value: 0, low: 0, high: 1 }
  const z2 = Z95 ** 2
  const middle = (k + z2 / 2) / (n + z2)
  const half = (Z95 * Math.sqrt((k * (n - k)) / n + z2 / 4)) / (n + z2)
  return { value: k / n, low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

export const aboveLimits = (counts: Counts): Fact[] =>
  FACTS.filter((fact) => shareOf(counts[fact], counts.views).low > LIMITS[fact])

/** `4.1 % of 812` */
export const shareText = (fact: Fact, counts: Counts): string =>
  `${percent(shareOf(counts[fact], counts.views).value)} of ${counts.views}`

export const ROLES = ['current', 'canary', 'earlier'] as const

export function roleIn(
  site: SiteRecord,
  { remote, version }: VersionCounts,
): (typeof ROLES)[number] {
  if (version === versionIn(site, remote)) return 'current'
  return version === site.remotes[remote]?.canary?.release.version ? 'canary' : 'earlier'
}

export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`

/** `1.0.0-0123456789ab` with the first half of its hash, which tells versions apart. */
export const shortVersion = (version: string): string =>
  version.replace(/(-[0-9a-f]{6})[0-9a-f]{6}$/, '$1')
