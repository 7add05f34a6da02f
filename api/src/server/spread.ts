import { SPREAD_MS } from '@anniversary/shared/contract/event-timeline'
import { type Database, rowOf } from '../database/database.ts'

/** Less than half of what two cores answer. */
const ASKED_A_SECOND = 2500
const SHORTEST_SECONDS = SPREAD_MS / 1000
const COUNT_EVERY_MS = 60_000

/** @param open pages */
export const spreadSeconds = (open: number): number =>
  Math.max(SHORTEST_SECONDS, Math.ceil(open / ASKED_A_SECOND))

/** Each member is taken for one page, because most devices are put away. */
const countMembers = rowOf<{ open: number }, []>(
  `SELECT count(*)::int AS open
   FROM (SELECT DISTINCT member_id FROM session WHERE expires_at > now()) members`,
)

/**
 * Counts members with a session once a minute in the background; until the first count it
 * names the shortest time, and after a failure the same as before.
 * @param onFailure called for each count that fails
 */
export function createSpread(
  database: Database,
  onFailure: (error: unknown) => void,
): () => number {
  let seconds = SHORTEST_SECONDS
  let countedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - countedAt > COUNT_EVERY_MS) {
      countedAt = performance.now()
      // Has a connection of its own: members' statements would wait behind the
      // count.
      database.transaction(countMembers).then((row) => {
        seconds = spreadSeconds(row?.open ?? 0)
      }, onFailure)
    }
    return seconds
  }
}
