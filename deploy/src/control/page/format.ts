import type { Estimate } from '@anniversary/shared/contract/figures'
import { h } from './dom.ts'

export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
export const milliseconds = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`

/** `1.0.0-0123456789ab` with the first half of its hash, which tells versions apart. */
export const shortVersion = (version: string): string => version.replace(/(-[0-9a-f]{6})[0-9a-f]{6}$/, '$1')

export const versionText = (version: string): HTMLElement =>
  h('code', { title: version }, shortVersion(version))

export function ago(iso: string): HTMLElement {
  const minutes = Math.round((Date.now() - Date.parse(iso)) / 60_000)
  const text =
    minutes < 1
      ? 'just now'
      : minutes < 60
        ? `${minutes} min ago`
        : minutes < 48 * 60
          ? `${Math.round(minutes / 60)} h ago`
          : `${Math.round(minutes / 1440)} days ago`
  return h('time', { datetime: iso, title: new Date(iso).toLocaleString('en-GB') }, text)
}

/** A unit that both ends have stands once. */
function range(low: string, high: string): string {
  const [number = '', unit] = low.split(' ')
  return high.endsWith(` ${unit}`) ? `${number}–${high}` : `${low} – ${high}`
}

/** A value, with the ends of its interval below it. */
export const estimateCell = (
  estimate: Estimate | null | undefined,
  unit: (value: number) => string,
): HTMLTableCellElement =>
  estimate
    ? h(
        'td',
        {},
        unit(estimate.value),
        h('small', { class: 'interval' }, range(unit(estimate.low), unit(estimate.high))),
      )
    : h('td', { class: 'quiet' }, '–')
