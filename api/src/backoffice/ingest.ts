import type { Queryable } from '../database/database.ts'
import type { ActivityEvent, BatchData } from './contract.ts'
import { type Counted, deriveMissions } from './derive-missions.ts'
import { type ActivityRow, addActivity, lockMembersOf, readActivity } from './ledger.ts'

const rowFrom = (event: ActivityEvent, memberId: string): ActivityRow => ({
  source: event.source,
  ref: event.ref,
  memberId,
  kind: event.kind,
  amount: event.kind === 'reversal' ? 0 : event.amount,
  occurredAt: new Date(event.occurred_at),
  reverses: event.kind === 'reversal' ? event.reverses : null,
})

const keyOf = (row: { source: string; ref: string }) => JSON.stringify([row.source, row.ref])

const sameEvent = (a: ActivityRow, b: ActivityRow) =>
  a.memberId === b.memberId &&
  a.kind === b.kind &&
  a.amount.toFixed(2) === b.amount.toFixed(2) &&
  a.occurredAt.getTime() === b.occurredAt.getTime() &&
  a.reverses === b.reverses

/** The targets of a batch's reversals by the reversals' keys, where the ledger or the batch has them. */
async function targetsOf(tx: Queryable, batch: ReadonlyMap<string, ActivityRow>) {
  const reversals = [...batch].flatMap(([key, { source, reverses }]) =>
    reverses === null ? [] : [{ key, source, ref: reverses }],
  )
  const known = reversals.length > 0 ? await readActivity(tx, reversals) : []
  const lines = new Map([...batch, ...known.map((row) => [keyOf(row), row] as const)])
  return new Map(
    reversals.flatMap((reversal) => {
      const target = lines.get(keyOf(reversal))
      return target ? [[reversal.key, target] as const] : []
    }),
  )
}

/**
 * Adds a batch to the ledger and derives its members' missions. Order does not matter: an event whose reversal came before
 * it is not summed, a later reversal takes it out again.
 */
export async function ingest(tx: Queryable, events: readonly ActivityEvent[], at: Date): Promise<BatchData> {
  const idOf = await lockMembersOf(
    tx,
    events.map((event) => event.username),
  )
  const lines = events.map((event) => {
    const memberId = idOf(event.username)
    return memberId === undefined ? undefined : rowFrom(event, memberId)
  })
  // Of an event's lines in the batch the first is added, the others are compared with it.
  const first = new Map<string, ActivityRow>()
  for (const row of lines) if (row && !first.has(keyOf(row))) first.set(keyOf(row), row)

  const targets = await targetsOf(tx, first)
  // A target that comes later and is a wrong one is not reversed.
  const isWrong = (key: string) => {
    const target = targets.get(key)
    return (
      target !== undefined && (target.memberId !== first.get(key)?.memberId || target.kind === 'reversal')
    )
  }
  // One order for all batches, so that two of them never wait for each other's unique keys in a circle.
  const rows = [...first.entries()]
    .filter(([key]) => !isWrong(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row)
  const added = new Map((rows.length > 0 ? await addActivity(tx, rows) : []).map((row) => [keyOf(row), row]))
  const clashed = rows.filter((row) => !added.has(keyOf(row)))
  const known = clashed.length > 0 ? await readActivity(tx, clashed) : []
  const stored = new Map(known.map((row) => [keyOf(row), row]))

  const refused: BatchData['refused'] = []
  let repeated = 0
  for (const [index, row] of lines.entries()) {
    const key = row ? keyOf(row) : ''
    const before = added.has(key) ? first.get(key) : stored.get(key)
    if (!row) refused.push({ index, reason: 'unknown-member' })
    else if (isWrong(key)) refused.push({ index, reason: 'wrong-target' })
    else if (!before) refused.push({ index, reason: 'already-reversed' })
    else if (before === row) continue
    else if (sameEvent(before, row)) repeated++
    else refused.push({ index, reason: 'conflict' })
  }

  const fresh = rows.filter((row) => added.has(keyOf(row)))
  const counted = fresh.flatMap((row): Counted[] => {
    const key = keyOf(row)
    const target = targets.get(key)
    if (row.kind === 'reversal') return target ? [{ ...target, sign: -1 }] : []
    return added.get(key)?.isReversed ? [] : [{ ...row, sign: 1 }]
  })
  const reversed = fresh.filter((row) => row.kind === 'reversal').map((row) => row.memberId)
  if (fresh.length > 0) await deriveMissions(tx, counted, [...new Set(reversed)], at)
  return { accepted: added.size, repeated, refused }
}
