import type { RemoteError, VersionFigures } from '@anniversary/shared/contract/figures'
import type { Measure } from '@anniversary/shared/contract/report'
import { type Queryable, rowsOf, statement } from '../database/database.ts'

/** How often a measured value fell into a bucket. */
export interface BucketCount {
  readonly remote: string
  readonly version: string
  readonly route: string
  readonly measure: Measure | 'views' | 'failed' | 'threw'
  readonly bucket: number
  readonly count: number
}

/** An error of a remote's code, and how often it came. */
export interface ErrorCount
  extends Pick<RemoteError, 'remote' | 'version' | 'phase' | 'message' | 'stack' | 'route'> {
  readonly id: string
  readonly count: number
}

/** Days for which both are kept. */
const KEEP_DAYS = 30
/** Rows of all errors together: further ones are dropped until old ones are pruned. */
const MOST_ERRORS = 5000

// Rows in one order for all servers, which else could wait for each other.
const addBuckets = statement(
  'reports-buckets',
  `INSERT INTO view_histogram AS h (remote, version, hour, route, measure, bucket, count)
   SELECT remote, version, date_trunc('hour', now()), route, measure, bucket, count
   FROM jsonb_to_recordset($1::jsonb) AS r (remote text, version text, route text, measure text, bucket smallint, count bigint)
   ORDER BY remote, version, route, measure, bucket
   ON CONFLICT (remote, version, hour, route, measure, bucket) DO UPDATE SET count = h.count + excluded.count`,
)

const addErrors = statement(
  'reports-errors',
  `INSERT INTO remote_error AS e (id, remote, version, phase, message, stack, route, count, first_at, last_at)
   SELECT r.*, now(), now()
   FROM jsonb_to_recordset($1::jsonb)
     AS r (id text, remote text, version text, phase text, message text, stack text, route text, count bigint)
   WHERE (SELECT count(*) FROM remote_error) < ${MOST_ERRORS}
     OR EXISTS (SELECT FROM remote_error k WHERE (k.remote, k.version, k.id) = (r.remote, r.version, r.id))
   ORDER BY r.remote, r.version, r.id
   ON CONFLICT (remote, version, id) DO UPDATE SET count = e.count + excluded.count, last_at = excluded.last_at`,
)

/** Adds to what is stored. */
export async function addReports(
  db: Queryable,
  buckets: readonly BucketCount[],
  errors: readonly ErrorCount[],
): Promise<void> {
  if (buckets.length > 0) await db.query(addBuckets, [JSON.stringify(buckets)])
  if (errors.length > 0) await db.query(addErrors, [JSON.stringify(errors)])
}

/**
 * What pages measured, by remote and version, a remote's newest first; whole hours count. An undefined remote or route:
 * of all.
 * @param since ISO 8601, in place of the hours
 * @param isHourly each hour by itself
 */
export const readFigures = rowsOf<
  VersionFigures,
  [
    remote: string | undefined,
    hours: number,
    route: string | undefined,
    since: string | undefined,
    isHourly: boolean,
  ]
>(
  'reports-figures',
  `WITH summed AS (
     SELECT remote, version, CASE WHEN $5 THEN hour END AS slot, measure, bucket,
       sum(count) AS count, min(hour) AS first, max(hour) AS last FROM view_histogram
     WHERE ($1::text IS NULL OR remote = $1) AND ($3::text IS NULL OR route = $3)
       AND hour >= coalesce($4::timestamptz, date_trunc('hour', now() - make_interval(hours => $2::int)))
     GROUP BY remote, version, slot, measure, bucket
   ), histogram AS (
     SELECT remote, version, slot, measure, jsonb_object_agg(bucket, count) AS counts, sum(count)::int AS total,
       min(first) AS first, max(last) AS last
     FROM summed GROUP BY remote, version, slot, measure
   )
   SELECT remote, version, event_time(min(first)) AS "firstHour", event_time(max(last)) AS "lastHour",
     coalesce(max(total) FILTER (WHERE measure = 'views'), 0) AS views,
     coalesce(max(total) FILTER (WHERE measure = 'failed'), 0) AS failed,
     coalesce(max(total) FILTER (WHERE measure = 'threw'), 0) AS threw,
     coalesce(jsonb_object_agg(measure, counts) FILTER (WHERE measure NOT IN ('views', 'failed', 'threw')), '{}') AS measures
   FROM histogram GROUP BY remote, version, slot ORDER BY remote, max(last) DESC, views DESC`,
)

/** Errors of remotes' code, the last ones first, of the last hours. An undefined remote: of all. */
export const readErrors = rowsOf<RemoteError, [remote: string | undefined, hours: number]>(
  'reports-errors-list',
  `SELECT remote, version, phase, message, stack, route, count::int, event_time(first_at) AS "firstAt", event_time(last_at) AS "lastAt"
   FROM remote_error WHERE ($1::text IS NULL OR remote = $1) AND last_at > now() - make_interval(hours => $2::int) ORDER BY last_at DESC, count DESC LIMIT 1000`,
)

const pruneStatements = [
  statement(
    'reports-prune-figures',
    `DELETE FROM view_histogram WHERE hour < now() - interval '${KEEP_DAYS} days'`,
  ),
  statement(
    'reports-prune-errors',
    `DELETE FROM remote_error WHERE last_at < now() - interval '${KEEP_DAYS} days'`,
  ),
]

/** Removes what is too old. */
export async function pruneReports(db: Queryable): Promise<void> {
  for (const prune of pruneStatements) await db.query(prune)
}
