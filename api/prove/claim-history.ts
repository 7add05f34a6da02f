export type Observation = {
  readonly member: string
  /** Milliseconds of one clock. */
  readonly sentAt: number
  readonly answeredAt: number
} & (
  | {
      readonly kind: 'claim'
      readonly mission: string
      /** 'lost': the claim may have been carried out or not. */
      readonly answer: readonly string[] | 'full' | 'lost'
    }
  /** Undefined: not answered. */
  | { readonly kind: 'reading'; readonly codes: ReadonlyMap<string, readonly string[]> | undefined }
  /** Lines of the ledger. 'lost': they may have been booked or not. */
  | {
      readonly kind: 'deposit' | 'reversal'
      readonly refs: readonly string[]
      readonly answer: 'booked' | 'lost'
    }
)

export interface StoredTicket {
  readonly member: string
  readonly mission: string
  readonly code: string
}

interface HistoryRules {
  readonly cap: number
  worth(mission: string): number
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/** Returns a text that does not depend on the order of the codes. */
const asText = (codes: readonly string[]): string => [...codes].sort().join(' ')

/**
 * Each mission is granted at most once and answered alike; no answer
 * contradicts one that arrived before it was asked for; a full stage stays
 * full; the cap holds; what is answered is stored, and nothing else.
 * @param observations by any number of clients, in any order
 * @param stored every ticket at the end
 * @returns a line for each contradiction
 */
export function contradictions(
  observations: readonly Observation[],
  stored: readonly StoredTicket[],
  rules: HistoryRules,
): string[] {
  const found = [...groupBy(stored, ({ code }) => code)]
    .filter(([, tickets]) => tickets.length > 1)
    .map(([code, tickets]) => `code ${code} is stored ${tickets.length} times`)
  const ticketsOf = groupBy(stored, ({ member }) => member)
  const seenOf = groupBy(observations, ({ member }) => member)
  for (const member of new Set([...ticketsOf.keys(), ...seenOf.keys()])) {
    const lines = contradictionsOf(seenOf.get(member) ?? [], ticketsOf.get(member) ?? [], rules)
    found.push(...lines.map((line) => `${member}: ${line}`))
  }
  return found
}

function contradictionsOf(
  seen: readonly Observation[],
  tickets: readonly StoredTicket[],
  { cap, worth }: HistoryRules,
): string[] {
  const found: string[] = []
  const stored = new Map(
    [...groupBy(tickets, ({ mission }) => mission)].map(([mission, own]) => [
      mission,
      asText(own.map(({ code }) => code)),
    ]),
  )
  const firstAsked = new Map<string, number>()
  const firstShown = new Map<string, number>()
  const least = (times: Map<string, number>, mission: string, at: number) =>
    times.set(mission, Math.min(at, times.get(mission) ?? at))

  const show = (mission: string, codes: readonly string[], at: number) => {
    least(firstShown, mission, at)
    if (stored.get(mission) !== asText(codes))
      found.push(
        `${mission} was answered ${asText(codes)}, stored is ${stored.get(mission) ?? 'nothing'}`,
      )
    if (codes.length !== worth(mission))
      found.push(`${mission} gave ${codes.length} tickets instead of ${worth(mission)}`)
  }
  for (const one of seen) {
    if (one.kind === 'reading')
      for (const [mission, codes] of one.codes ?? []) show(mission, codes, one.answeredAt)
    else if (one.kind === 'claim') {
      least(firstAsked, one.mission, one.sentAt)
      if (typeof one.answer !== 'string') show(one.mission, one.answer, one.answeredAt)
    }
  }

  if (tickets.length > cap) found.push(`${tickets.length} tickets are over the cap of ${cap}`)
  for (const mission of stored.keys())
    if (!firstAsked.has(mission)) found.push(`${mission} is stored, but nobody asked for it`)
  for (const one of seen) {
    if (one.kind === 'reading') {
      for (const [mission, at] of firstShown)
        if (at < one.sentAt && one.codes?.has(mission) === false)
          found.push(`a later reading lacks ${mission}`)
    } else if (one.kind === 'claim' && one.answer === 'full') {
      if (stored.has(one.mission)) found.push(`${one.mission} is stored, but was refused as full`)
      const granted = [...stored.keys()].filter(
        (mission) => (firstAsked.get(mission) ?? 0) < one.answeredAt,
      )
      const given = granted.reduce((sum, mission) => sum + worth(mission), 0)
      if (given + worth(one.mission) <= cap)
        found.push(`${one.mission} was refused as full at ${given} of ${cap}`)
    }
  }
  return found
}
