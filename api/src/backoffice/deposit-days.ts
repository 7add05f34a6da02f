import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, rowOf, rowsOf } from '../database/database.ts'
import { daysOf, hasKeptDays, THIS_TRANSACTION } from '../missions/rules.ts'
import { STAGE_ROWS } from '../missions/stages.ts'

/** While a step's days are recounted, batches of its members wait. */
const MEMBERS_A_STEP = 100

const findNext = rowOf<{ last: string | null; stale: string[] }, [after: string]>(
  `SELECT max(n.member_id) AS last, coalesce(array_agg(n.member_id) FILTER (WHERE EXISTS (
     SELECT FROM stage_activity x WHERE x.member_id = n.member_id AND NOT (${hasKeptDays('x')})
   )), '{}') AS stale
   FROM (
     SELECT DISTINCT member_id FROM stage_activity
     WHERE member_id > $1 ORDER BY member_id LIMIT ${MEMBERS_A_STEP}
   ) n`,
)

/** In the order in which batches lock members. */
const lockMembers = rowsOf<never, [memberIds: readonly string[]]>(
  'SELECT FROM member WHERE id = ANY($1::bigint[]) ORDER BY account_key FOR NO KEY UPDATE',
)

const countDays = rowsOf<never, [memberIds: readonly string[]]>(
  `UPDATE stage_activity t SET kept_by = ${THIS_TRANSACTION}, deposit_days = coalesce((
     SELECT ${daysOf('a.day')} FROM ${STAGE_ROWS}
     JOIN counted_activity a ON a.day BETWEEN s.first_day AND s.last_day
     WHERE a.member_id = t.member_id AND s.stage = t.stage AND a.kind = 'deposit'), '{}')
   WHERE t.member_id = ANY($1::bigint[]) AND NOT (${hasKeptDays('t')})`,
)

/**
 * Recounts the days that a version without the column `deposit_days` has booked.
 * Works half of the time at most.
 * @returns the number of recounted members
 */
export async function recountStaleDays(
  database: Database,
  shouldStop: () => boolean = () => false,
): Promise<number> {
  let recounted = 0

  for (let after: string | null = '0'; after !== null && !shouldStop(); ) {
    const from: string = after
    const startedAt = performance.now()

    after = await database.transaction(async (tx) => {
      const { last = null, stale = [] } = (await findNext(tx, from)) ?? {}
      if (stale.length === 0) return last

      await lockMembers(tx, stale)
      await countDays(tx, stale)
      recounted += stale.length
      return last
    })

    await sleep(performance.now() - startedAt)
  }
  return recounted
}
