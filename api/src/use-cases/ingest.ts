import type { ActivityEventBody, BatchData, BatchRefusalReason } from '../contract/backoffice.ts'
import type { Database, Queryable } from '../database/database.ts'
import { type ActivityRow, addActivity, lockMembersByKey, readActivity } from '../repositories/activity.ts'
import { accountKey } from '../rules/credentials.ts'
import { deriveMissions } from './derive-missions.ts'

export interface ActivityEvent {
  readonly source: string
  /** Unique within the source: the same event sent twice counts once. */
  readonly ref: string
  readonly username: string
  readonly kind: 'deposit' | 'bet' | 'reversal'
  /** Points, at most two decimals; 0 for a reversal. */
  readonly amount: number
  readonly occurredAt: Date
  /** A reversal's target: the ref of a deposit or bet of the same source and member, which may come later. */
  readonly reverses?: string | undefined
}

/** A wire event as the ledger takes it. */
export const eventFrom = (body: ActivityEventBody): ActivityEvent => ({
  source: body.source,
  ref: body.ref,
  username: body.username,
  kind: body.kind,
  amount: body.kind === 'reversal' ? 0 : body.amount,
  occurredAt: new Date(body.occurred_at),
  reverses: body.kind === 'reversal' ? body.reverses : undefined,
})

const keyOf = (row: { source: string; ref: string }) => JSON.stringify([row.source, row.ref])

const sameEvent = (a: ActivityRow, b: ActivityRow) =>
  a.memberId === b.memberId &&
  a.kind === b.kind &&
  a.amount.toFixed(2) === b.amount.toFixed(2) &&
  a.occurredAt.getTime() === b.occurredAt.getTime() &&
  a.reverses === b.reverses

/**
 * Keys of reversals whose target, in the ledger or in the batch, is of another member or a reversal itself. A target
 * that is not there yet may come; if it is a wrong one, the reversal counts for nothing.
 */
async function wrongReversals(
  tx: Queryable,
  batch: ReadonlyMap<string, ActivityRow>,
): Promise<ReadonlySet<string>> {
  const targets = [...batch.values()].flatMap(({ source, reverses }) =>
    reverses === null ? [] : [{ source, ref: reverses }],
  )
  const known = targets.length > 0 ? await readActivity(tx, targets) : []
  const lines = new Map([...batch, ...known.map((row) => [keyOf(row), row] as const)])
  const isWrong = ({ source, reverses, memberId }: ActivityRow) => {
    const target = reverses === null ? undefined : lines.get(keyOf({ source, ref: reverses }))
    return target !== undefined && (target.memberId !== memberId || target.kind === 'reversal')
  }
  return new Set([...batch].flatMap(([key, row]) => (isWrong(row) ? [key] : [])))
}

/**
 * Adds a batch to the ledger and derives its members' missions, in the caller's transaction. Order does not matter: each
 * event is summed once, and a reversal recounts its member, so late, repeated and reversed events end in the same state.
 * @param at the event clock's now, stored with newly reached missions
 */
export async function ingestActivity(
  tx: Queryable,
  events: readonly ActivityEvent[],
  at: Date,
): Promise<BatchData> {
  const refused: { index: number; reason: BatchRefusalReason }[] = []
  const members = await lockMembersByKey(tx, [...new Set(events.map((event) => accountKey(event.username)))])

  const first = new Map<string, ActivityRow>()
  const again: { index: number; row: ActivityRow }[] = []
  const indexes = new Map<string, number>()
  events.forEach((event, index) => {
    const memberId = members.get(accountKey(event.username))
    if (memberId === undefined) {
      refused.push({ index, reason: 'unknown-member' })
      return
    }
    const { source, ref, kind, amount, occurredAt } = event
    const row = { source, ref, memberId, kind, amount, occurredAt, reverses: event.reverses ?? null }
    const key = keyOf(row)
    if (first.has(key)) again.push({ index, row })
    else {
      first.set(key, row)
      indexes.set(key, index)
    }
  })

  const wrong = await wrongReversals(tx, first)
  // One order for all batches, so that two of them never wait for each other's unique keys in a circle.
  const rows = [...first.entries()]
    .filter(([key]) => !wrong.has(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row)
  const added = new Map((rows.length > 0 ? await addActivity(tx, rows) : []).map((row) => [keyOf(row), row]))

  const clashed = rows.filter((row) => !added.has(keyOf(row)))
  const known = clashed.length > 0 ? await readActivity(tx, clashed) : []
  const stored = new Map(known.map((row) => [keyOf(row), row]))
  for (const row of rows) if (added.has(keyOf(row))) stored.set(keyOf(row), row)

  let repeated = 0
  const judge = (index: number, row: ActivityRow) => {
    const before = stored.get(keyOf(row))
    if (wrong.has(keyOf(row))) refused.push({ index, reason: 'wrong-target' })
    else if (!before) refused.push({ index, reason: 'already-reversed' })
    else if (sameEvent(before, row)) repeated++
    else refused.push({ index, reason: 'conflict' })
  }
  for (const [key, row] of first) if (wrong.has(key) || !added.has(key)) judge(indexes.get(key) ?? 0, row)
  for (const { index, row } of again) judge(index, row)

  const fresh = rows.filter((row) => added.has(keyOf(row)))
  const counting = fresh.filter((row) => !added.get(keyOf(row))?.isReversed)
  if (fresh.length > 0) await deriveMissions(tx, counting, at)
  refused.sort((a, b) => a.index - b.index)
  return { accepted: added.size, repeated, refused }
}

/** `ingestActivity` in a transaction of its own. */
export const ingest = (database: Database, events: readonly ActivityEvent[], at: Date): Promise<BatchData> =>
  database.transaction((tx) => ingestActivity(tx, events, at))
