import type { Call, DirectWrite } from './load.ts'

/** @returns seconds, the longest time in which no new claim was acknowledged, since `from` */
export function longestGap(calls: readonly Call[], from: number): number {
  const times = calls
    .filter(({ kind, status, times }) => kind === 'claim' && status === 200 && times.answeredAt > from)
    .map(({ times }) => times.answeredAt)
    .sort((a, b) => a - b)
  return Math.round(Math.max(...times.map((at, i) => at - (times[i - 1] ?? from))) / 100) / 10
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
