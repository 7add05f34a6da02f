import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import {
  type Estimate,
  proportion,
  quantile,
  type VersionFigures,
} from '@anniversary/shared/contract/figures'
import type { Measure as Measured } from '@anniversary/shared/contract/report'

/** What members feel of one version. Times are milliseconds; null where nothing was measured. */
export interface VersionHealth extends Pick<VersionFigures, 'remote' | 'version' | 'firstHour' | 'views'> {
  /** Share of the views in which the remote's code threw. */
  readonly errorRate: Estimate | null
  /** Share of the views whose page could not be loaded. */
  readonly failureRate: Estimate | null
  /** Share of the loads that needed more than one attempt. */
  readonly retryRate: Estimate | null
  /** The 75th percentile of each measure. */
  readonly p75: Readonly<Partial<Record<Exclude<Measured, 'attempts'>, Estimate>>>
}

/** One figure of a version, and how it is written. */
export interface Measure {
  readonly title: string
  readonly unit: (value: number) => string
  of(health: VersionHealth): Estimate | null | undefined
}

/** What a version is to the remote now. */
export type Role = 'current' | 'canary' | 'earlier'

export const roleOf = (remote: ComposedRemote | undefined, version: string): Role =>
  version === remote?.current.version
    ? 'current'
    : version === remote?.canary?.release.version
      ? 'canary'
      : 'earlier'

/** The figures of a version with their intervals of 95 %. */
export function versionHealth(figures: VersionFigures): VersionHealth {
  const { remote, version, firstHour, views, failed, threw, measures } = figures
  const { attempts = {}, ...measured } = measures
  const loads = Object.values(attempts).reduce((sum, count) => sum + count, 0)
  return {
    remote,
    version,
    firstHour,
    views,
    errorRate: proportion(threw, views),
    failureRate: proportion(failed, views),
    // Bucket 1 counts the loads with one attempt.
    retryRate: proportion(loads - (attempts[1] ?? 0), loads),
    p75: Object.fromEntries(
      Object.entries(measured).flatMap(([name, histogram]) => {
        const estimate = quantile(histogram, 0.75)
        return estimate ? [[name, estimate]] : []
      }),
    ),
  }
}
