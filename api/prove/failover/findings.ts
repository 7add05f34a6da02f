import type { Observation, StoredTicket } from '../claim-history.ts'
import type { Call, DirectWrite } from './load.ts'

const MAX_CALL_MS = 12_000

/** From a fault until all is whole again. */
export interface Window {
  readonly fault: string
  readonly from: number
  readonly to: number
}

const percentile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0
const seconds = (ms: number) => Math.round(ms / 100) / 10

/** @returns milliseconds, the longest time of the window in which no claim was acknowledged */
function gap(calls: readonly Call[], { from, to }: Window): number {
  const acknowledged = calls.filter(({ kind, status }) => kind === 'claim' && status === 200)
  const times = acknowledged.map(({ answeredAt }) => answeredAt).filter((at) => at > from && at < to)
  const marks = [from, ...times.sort((a, b) => a - b), to]
  return Math.max(...marks.map((at, i) => at - (marks[i - 1] ?? at)))
}

/** What clients met in windows of one kind. */
export function summary(calls: readonly Call[], windows: readonly Window[]) {
  const met = windows.map((window) =>
    calls.filter(({ answeredAt }) => answeredAt > window.from && answeredAt <= window.to),
  )
  const all = met.flat()
  const gaps = windows.map((window, i) => gap(met[i] ?? [], window))
  const count = (condition: (call: Call) => boolean) => all.filter(condition).length
  return {
    rounds: windows.length,
    'gap p50 s': seconds(percentile(gaps, 0.5)),
    'gap p99 s': seconds(percentile(gaps, 0.99)),
    'slowest call s': seconds(all.reduce((most, call) => Math.max(most, call.answeredAt - call.sentAt), 0)),
    'answers 200': count(({ status }) => status === 200),
    'answers 503': count(({ status }) => status === 503),
    'with retry-after': count(({ status, retryAfter }) => status === 503 && retryAfter !== null),
    'with a sentence': count(({ status, message }) => status === 503 && !!message),
    'cut off': count(({ status }) => status === 'cut'),
    'answers 500': count(({ status }) => status === 500),
    'other answers': count(({ status }) => ![200, 503, 500, 'cut'].includes(status)),
    'over 12 s': count(({ sentAt, answeredAt }) => answeredAt - sentAt > MAX_CALL_MS),
  }
}

/** Acknowledged claims against what is stored in the end. */
export function lostAndDoubled(observations: readonly Observation[], stored: readonly StoredTicket[]) {
  const key = (one: { member: string; mission: string }) => `${one.member} ${one.mission}`
  const codeOf = new Map(stored.map((ticket) => [key(ticket), ticket.code]))
  /** Of each claim: the codes that it was answered, and when first. */
  const acknowledged = new Map<string, { codes: Set<string>; at: number }>()
  for (const one of observations) {
    if (one.kind !== 'claim' || typeof one.answer === 'string') continue
    const known = acknowledged.get(key(one)) ?? { codes: new Set(), at: one.answeredAt }
    for (const code of one.answer) known.codes.add(code)
    acknowledged.set(key(one), { codes: known.codes, at: Math.min(known.at, one.answeredAt) })
  }
  const lost = [...acknowledged].filter(([claim]) => !codeOf.has(claim))
  const doubled = [...acknowledged].filter(
    ([claim, { codes }]) => codeOf.has(claim) && (codes.size > 1 || !codes.has(codeOf.get(claim) ?? '')),
  )
  return { acknowledged: acknowledged.size, lostAt: lost.map(([, { at }]) => at), doubled: doubled.length }
}

/**
 * Each promotion begins a timeline. Two primaries serve at once when a timeline acknowledges what was sent after a later
 * one has acknowledged something, or when two nodes acknowledge on one timeline.
 */
export function twoPrimaries(writes: readonly DirectWrite[]): number {
  const firstOf = new Map<string, DirectWrite>()
  for (const write of writes) {
    const first = firstOf.get(write.timeline)
    if (!first || write.answeredAt < first.answeredAt) firstOf.set(write.timeline, write)
  }
  const firsts = [...firstOf.values()]
  return writes.filter((write) =>
    firsts.some((first) =>
      first.timeline === write.timeline
        ? first.node !== write.node
        : first.timeline > write.timeline && first.answeredAt < write.sentAt,
    ),
  ).length
}
