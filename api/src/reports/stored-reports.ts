import type { RemoteError } from '@anniversary/shared/contract/report'
import { namedStatement, type Queryable, rowsOf } from '../database/database.ts'

const KEEP_DAYS = 30
/**
 * Half are the most frequent, half the latest, so that a flood displaces
 * neither.
 */
const MOST_ERRORS = { ofVersion: 50, ofAll: 5000 }

const GIVEN = 'unnest($1::jsonb[], $2::bigint[]) AS g (row, count)'
const addErrors = namedStatement(
  `INSERT INTO remote_error AS e (id, remote, version, phase, message, stack, route, count,
     first_at, last_at)
   SELECT md5(jsonb_build_array(r.phase, r.message, r.stack)::text) AS id, r.remote, r.version,
     min(r.phase), min(r.message),
     min(r.stack), min(r.route), sum(g.count), now(), now()
   FROM ${GIVEN}, jsonb_to_record(g.row)
     AS r (remote text, version text, phase text, message text, stack text, route text)
   -- Grouped by id, since the statement would fail on a row that came twice.
   GROUP BY r.remote, r.version, id ORDER BY r.remote, r.version, id
   ON CONFLICT (remote, version, id) DO UPDATE
     SET count = e.count + excluded.count, last_at = excluded.last_at`,
)

/** SQL: the better of a row's ranks by frequency and by time. */
const place = (among: string) => `least(
  row_number() OVER (${among} ORDER BY count DESC, last_at DESC),
  row_number() OVER (${among} ORDER BY last_at DESC, count DESC))`
const trimErrors = namedStatement(
  `DELETE FROM remote_error WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM (
       SELECT ctid, ${place('PARTITION BY remote, version')} AS of_version,
         ${place('')} AS of_all FROM remote_error) e
     WHERE of_version > ${MOST_ERRORS.ofVersion / 2} OR of_all > ${MOST_ERRORS.ofAll / 2}))`,
)

/** @param counts of equal errors, by their JSON */
export async function addErrorReports(
  db: Queryable,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  if (counts.size === 0) return
  await db.query(addErrors, [[...counts.keys()], [...counts.values()]])
  await db.query(trimErrors)
}

/** The latest first. Undefined selects all remotes. */
export const readErrorReports = rowsOf<RemoteError, [remote: string | undefined, since: string]>(
  `SELECT remote, version, phase, message, stack, route, count::int,
     event_time(first_at) AS "firstAt", event_time(last_at) AS "lastAt"
   FROM remote_error WHERE ($1::text IS NULL OR remote = $1) AND last_at > $2::timestamptz
   ORDER BY last_at DESC, count DESC LIMIT 1000`,
)

export const pruneErrorReports = rowsOf<never, []>(
  `DELETE FROM remote_error WHERE last_at < now() - interval '${KEEP_DAYS} days'`,
)
