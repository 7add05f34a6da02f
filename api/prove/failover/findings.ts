import type { Call, DirectWrite } from './load.ts'

const LONG_CALL_MS = 12_000

/** From a fault until all is whole again. */
export interface Window {
  readonly fault: string
  readonly from: number
  readonly to: number
}

const within = ({ from, to }: Window, at: number) => at > from && at <= to
const seconds = (ms = 0) => Math.round(ms / 100) / 10

/** @returns milliseconds, the longest time in which no new claim was acknowledged */
function gap(calls: readonly Call[], window: Window): number {
  const acknowledged = calls.filter(({ kind, status }) => kind === 'claim' && status === 200)
  const times = acknowledged.map(({ times: { answeredAt } }) => answeredAt).sort((a, b) => a - b)
  // Too many for the arguments of Math.max.
  return [...times, window.to].reduce((most, at, i) => Math.max(most, at - (times[i - 1] ?? window.from)), 0)
}

/** What clients met in windows of one kind. */
export function summary(calls: readonly Call[], windows: readonly Window[]) {
  const met = windows.map((window) => calls.filter(({ times }) => within(window, times.answeredAt)))
  const all = met.flat()
  const gaps = windows.map((window, i) => gap(met[i] ?? [], window)).sort((a, b) => a - b)
  const percentile = (share: number) => seconds(gaps[Math.ceil(gaps.length * share) - 1])
  const count = (condition: (call: Call) => boolean) => all.filter(condition).length
  const took = ({ times }: Call) => times.answeredAt - times.sentAt
  return {
    rounds: windows.length,
    'gap p50 s': percentile(0.5),
    'gap p99 s': percentile(0.99),
    'slowest s': seconds(all.reduce((most, call) => Math.max(most, took(call)), 0)),
    '200s': count(({ status }) => status === 200),
    '503s': count(({ status }) => status === 503),
    explained: count(({ status, isExplained }) => status === 503 && isExplained),
    '500s': count(({ status }) => status === 500),
    others: count(({ status }) => ![200, 503, 500].includes(status)),
    'over 12 s': count((call) => took(call) > LONG_CALL_MS),
  }
}

/**
 * Each promotion begins a timeline. There were two primaries if one acknowledged what was sent after a later timeline had
 * acknowledged something, or if two nodes acknowledged on one timeline.
 * @returns how many such writes
 */
export function twoPrimaries(writes: readonly DirectWrite[]): number {
  const byAnswer = [...writes].sort((a, b) => a.answeredAt - b.answeredAt)
  const firsts = [...new Map(byAnswer.reverse().map((write) => [write.timeline, write])).values()]
  return writes.filter((write) =>
    firsts.some((first) =>
      first.timeline === write.timeline
        ? first.node !== write.node
        : first.timeline > write.timeline && first.answeredAt < write.sentAt,
    ),
  ).length
}
