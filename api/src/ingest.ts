import type {
  ActivityEventBody,
  BatchData,
  BatchRefusalReason,
} from '@anniversary/shared/contract/backoffice'
import type { Database, Queryable } from './database/database.ts'
import {
  type ActivityRow,
  addActivity,
  lockMembersByKey,
  readActivity,
  readStageTotals,
} from './repositories/activity.ts'
import { markStreaks, type Reached, readClaimedStreaks, setReached } from './repositories/mission-states.ts'
import { accountKey } from './rules/credentials.ts'
import { reachedMissions } from './rules/missions.ts'
import { hasStreak } from './rules/streak.ts'

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
 * Adds a batch to the ledger and recounts its members, in the caller's transaction. Order does not matter: states are
 * derived from the whole ledger each time, so late, repeated and reversed events end in the same state.
 * @param at the event's now, which newly reached missions carry
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

  // One order for all batches, so that two of them never wait for each other's unique keys in a circle.
  const rows = [...first.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  const added = new Set(rows.length > 0 ? (await addActivity(tx, rows)).map(keyOf) : [])

  const clashed = rows.filter((row) => !added.has(keyOf(row)))
  const known = clashed.length > 0 ? await readActivity(tx, clashed) : []
  const stored = new Map(known.map((row) => [keyOf(row), row]))
  for (const row of rows) if (added.has(keyOf(row))) stored.set(keyOf(row), row)

  let repeated = 0
  const judge = (index: number, row: ActivityRow) => {
    const before = stored.get(keyOf(row))
    if (!before) refused.push({ index, reason: 'already-reversed' })
    else if (sameEvent(before, row)) repeated++
    else refused.push({ index, reason: 'conflict' })
  }
  for (const row of clashed) judge(indexes.get(keyOf(row)) ?? 0, row)
  for (const { index, row } of again) judge(index, row)

  const touched = [...new Set(rows.filter((row) => added.has(keyOf(row))).map((row) => row.memberId))]
  if (touched.length > 0) await recount(tx, touched, at)
  refused.sort((a, b) => a.index - b.index)
  return { accepted: added.size, repeated, refused }
}

async function recount(tx: Queryable, memberIds: readonly string[], at: Date): Promise<void> {
  const totals = await readStageTotals(tx, memberIds)
  const reached: Reached[] = totals.flatMap((total) =>
    reachedMissions(total).map((mission) => ({ memberId: total.memberId, stage: total.stage, mission })),
  )
  await setReached(tx, memberIds, reached, at)

  const streaks = await readClaimedStreaks(tx, memberIds)
  const changed = streaks
    .map((streak) => ({ ...streak, isMet: hasStreak(streak.days) }))
    .filter((streak) => streak.isMet === streak.needsReview)
  if (changed.length > 0) {
    await markStreaks(
      tx,
      changed.map(({ memberId, stage, isMet }) => ({ memberId, stage, needsReview: !isMet })),
    )
  }
}

/** `ingestActivity` in a transaction of its own. */
export const ingest = (database: Database, events: readonly ActivityEvent[], at: Date): Promise<BatchData> =>
  database.transaction((tx) => ingestActivity(tx, events, at))
