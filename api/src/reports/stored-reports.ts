import {
  FACTS,
  type Fact,
  type RemoteError,
  type VersionCounts,
} from '@anniversary/shared/contract/report'
import { type Queryable, rowsOf, statement } from '../database/database.ts'

const KEEP_DAYS = 30
/** Rows of views that an hour keeps: those with the most views, since names in reports may be forged. */
const MOST_ROWS_AN_HOUR = 2000
/** Errors that are kept: half of them are the most frequent, half the latest, so that a flood displaces neither. */
const MOST_ERRORS = { ofVersion: 50, ofAll: 5000 }

/** SQL: the reports $1 with their counts $2. */
const GIVEN = 'unnest($1::jsonb[], $2::bigint[]) AS g (row, count)'
const viewsWith = (fact: Fact) => `coalesce(sum(g.count) FILTER (WHERE r."${fact}"), 0)`

// All servers write rows in one order, which prevents deadlocks.
const addViews = statement(
  `INSERT INTO view_count AS v (remote, version, hour, route, views, threw, failed, painted_late, answered_late)
   SELECT r.remote, r.version, date_trunc('hour', now()), r.route, sum(g.count), ${FACTS.map(viewsWith).join(', ')}
   FROM ${GIVEN}, jsonb_to_record(g.row)
     AS r (remote text, version text, route text, threw bool, failed bool, "paintedLate" bool, "answeredLate" bool)
   GROUP BY r.remote, r.version, r.route ORDER BY r.remote, r.version, r.route
   ON CONFLICT (remote, version, hour, route) DO UPDATE SET
     views = v.views + excluded.views, threw = v.threw + excluded.threw, failed = v.failed + excluded.failed,
     painted_late = v.painted_late + excluded.painted_late, answered_late = v.answered_late + excluded.answered_late`,
)

const addErrors = statement(
  `INSERT INTO remote_error AS e (id, remote, version, phase, message, stack, route, count, first_at, last_at)
   SELECT md5(jsonb_build_array(r.phase, r.message, r.stack)::text) AS id, r.remote, r.version, min(r.phase), min(r.message),
     min(r.stack), min(r.route), sum(g.count), now(), now()
   FROM ${GIVEN}, jsonb_to_record(g.row)
     AS r (remote text, version text, phase text, message text, stack text, route text)
   -- Grouped by id, since the statement would fail on a row that came twice.
   GROUP BY r.remote, r.version, id ORDER BY r.remote, r.version, id
   ON CONFLICT (remote, version, id) DO UPDATE SET count = e.count + excluded.count, last_at = excluded.last_at`,
)

const trimViews = statement(
  `DELETE FROM view_count WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM view_count WHERE hour = date_trunc('hour', now())
     ORDER BY views DESC OFFSET ${MOST_ROWS_AN_HOUR}))`,
)
/** SQL: the better of a row's ranks by frequency and by time. */
const place = (among: string) => `least(
  row_number() OVER (${among} ORDER BY count DESC, last_at DESC), row_number() OVER (${among} ORDER BY last_at DESC, count DESC))`
const trimErrors = statement(
  `DELETE FROM remote_error WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM (
       SELECT ctid, ${place('PARTITION BY remote, version')} AS of_version, ${place('')} AS of_all FROM remote_error) e
     WHERE of_version > ${MOST_ERRORS.ofVersion / 2} OR of_all > ${MOST_ERRORS.ofAll / 2}))`,
)

const writes = { views: [addViews, trimViews], errors: [addErrors, trimErrors] } as const

/** Adds reports to the stored ones and removes the surplus. @param counts of equal reports, by their JSON */
export async function addReports(
  db: Queryable,
  kind: keyof typeof writes,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  if (counts.size === 0) return
  const [add, trim] = writes[kind]
  await db.query(add, [[...counts.keys()], [...counts.values()]])
  await db.query(trim)
}

/** Returns views by remote and version since a whole hour, a remote's newest first. Undefined selects all remotes or routes. */
export const readViews = rowsOf<
  VersionCounts,
  [remote: string | undefined, since: string, route: string | undefined]
>(
  `SELECT remote, version, sum(views)::int AS views, sum(threw)::int AS threw, sum(failed)::int AS failed,
     sum(painted_late)::int AS "paintedLate", sum(answered_late)::int AS "answeredLate"
   FROM view_count
   WHERE ($1::text IS NULL OR remote = $1) AND ($3::text IS NULL OR route = $3)
     AND hour >= date_trunc('hour', $2::timestamptz)
   GROUP BY remote, version ORDER BY remote, max(hour) DESC, views DESC`,
)

/** Returns errors of remotes' code, the latest first. Undefined selects all remotes. */
export const readErrors = rowsOf<RemoteError, [remote: string | undefined, since: string]>(
  `SELECT remote, version, phase, message, stack, route, count::int, event_time(first_at) AS "firstAt", event_time(last_at) AS "lastAt"
   FROM remote_error WHERE ($1::text IS NULL OR remote = $1) AND last_at > $2::timestamptz ORDER BY last_at DESC, count DESC LIMIT 1000`,
)

export const pruneReports = rowsOf<never, []>(
  `WITH views AS (DELETE FROM view_count WHERE hour < now() - interval '${KEEP_DAYS} days')
   DELETE FROM remote_error WHERE last_at < now() - interval '${KEEP_DAYS} days'`,
)
