import { type Queryable, rowOf } from '../database/database.ts'
import { type BatchData, type Outcome, tallyOutcomes } from '../server/answers.ts'
import type { ActivityEvent, Refusal } from './contract.ts'
import { deriveMissions } from './derive-missions.ts'
import {
  type ActivityRow,
  bookActivity,
  lockMembersOf,
  readActivity,
  removeEmptyDays,
} from './ledger.ts'

function rowFrom(event: ActivityEvent, memberId: string): ActivityRow {
  const { source, ref, kind, amount = 0 } = event
  const occurredAt = new Date(event.occurred_at)
  const reverses = event.kind === 'reversal' ? event.reverses : null
  return { source, ref, memberId, kind, amount, occurredAt, reverses }
}

const keyOf = (row: { source: string; ref: string }) => JSON.stringify([row.source, row.ref])

/** Equal for an event that is sent again. A reversal may leave out its amount. */
function contentOf({ memberId, kind, amount, occurredAt, reverses }: ActivityRow): string {
  const content = [memberId, kind, occurredAt, reverses]
  if (kind !== 'reversal') content.push(amount.toFixed(2))
  return JSON.stringify(content)
}

const firstOf = <Row extends { source: string; ref: string }>(rows: readonly Row[]) =>
  new Map(rows.toReversed().map((row) => [keyOf(row), row]))

/** The function looks in the ledger, then in the batch. */
async function findTargets(tx: Queryable, batch: readonly ActivityRow[]) {
  const wanted = batch.flatMap(({ source, reverses }) =>
    reverses === null ? [] : [{ source, ref: reverses }],
  )
  const events = new Map([...firstOf(batch), ...firstOf(await readActivity(tx, wanted))])
  return ({ source, reverses }: ActivityRow) =>
    reverses === null ? undefined : events.get(keyOf({ source, ref: reverses }))
}

/** A wrong target that arrives later is not reversed. */
function targetProblem(
  reversal: ActivityRow,
  target: ActivityRow | undefined,
): Refusal | undefined {
  const { kind, memberId, amount } = reversal
  if (kind !== 'reversal') return undefined
  const hasAmount = amount !== 0
  if (!target) return hasAmount ? 'unknown-target' : undefined
  if (target.memberId !== memberId || target.kind === 'reversal') return 'wrong-target'
  if (hasAmount && amount !== target.amount) return 'wrong-amount'
  return undefined
}

const addBatch = rowOf<never, [broughtBy: string, source: string, ref: string]>(
  `INSERT INTO activity_batch (received_at, brought_by)
   SELECT received_at, $1 FROM activity WHERE (source, ref) = ($2, $3)`,
)

/**
 * Events may arrive in any order: an event whose reversal came first is not
 * summed.
 * @param broughtBy the import or key that brought the batch
 */
export async function ingestActivity(
  tx: Queryable,
  events: readonly ActivityEvent[],
  at: Date,
  broughtBy: string,
): Promise<BatchData> {
  const idOf = await lockMembersOf(tx, events)
  const lines = events.map((event) => {
    const memberId = idOf(event.username)
    if (memberId === undefined) return undefined
    return rowFrom(event, memberId)
  })
  const known = lines.filter((row) => row !== undefined)
  const targetOf = await findTargets(tx, known)
  // Later lines of an event are compared with its first valid one.
  const first = firstOf(known.filter((row) => !targetProblem(row, targetOf(row))))
  // One order for all batches prevents deadlocks on their unique keys.
  const rows = [...first.keys()].sort().flatMap((key) => first.get(key) ?? [])
  const added = new Set((await bookActivity(tx, rows)).map(keyOf))
  const isAdded = (row: ActivityRow) => added.has(keyOf(row))
  const fresh = rows.filter(isAdded)
  const others = rows.filter((row) => !isAdded(row))
  const stored = firstOf([...fresh, ...(await readActivity(tx, others))])

  const outcomes = lines.map((row): Outcome<Refusal> => {
    if (!row) return 'unknown-member'
    const problem = targetProblem(row, targetOf(row))
    if (problem) return problem
    const before = stored.get(keyOf(row))
    if (!before) return 'already-reversed'
    if (before === row) return 'accepted'
    if (contentOf(before) === contentOf(row)) return 'repeated'
    return 'conflict'
  })

  const [one] = fresh
  if (one) {
    const reversals = fresh.filter(({ reverses }) => reverses !== null)
    await removeEmptyDays(tx, reversals)
    await addBatch(tx, broughtBy, one.source, one.ref)
    await deriveMissions(tx, fresh, at)
  }
  return tallyOutcomes(outcomes)
}
