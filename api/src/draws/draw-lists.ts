import { DRAWS } from '@anniversary/shared/contract/event'
import { lastDrawBegun } from '@anniversary/shared/contract/event-timeline'
import { z } from 'zod'
import { type Queryable, rowOf, rowsOf } from '../database/database.ts'
import { eventTimeText } from '../server/event-time.ts'

/*
 * A list's file is a head of five lines, then the codes of all tickets that
 * take part, in the order of their bytes. Its SHA-256 is public from the freeze
 * on, the file from the draw's begin.
 */

/** A number as `z.coerce` reads it, such as 1e0, would go past nginx's cache. */
export const drawNumber = z
  .enum(
    DRAWS.map((_, i) => String(i + 1)),
    `must be a draw's number, 1 to ${DRAWS.length}`,
  )
  .transform(Number)

export interface DrawList {
  readonly draw: number
  readonly count: number
  readonly sha256: string
  readonly frozenAt: string
}

export const readDrawLists = rowsOf<DrawList, []>(
  `SELECT draw, count, sha256, event_time(frozen_at) AS "frozenAt" FROM draw_list ORDER BY draw`,
)

/** SQL: the SHA-256 of the file, as its entries are now. */
const listDigest = (head: string, draw: string) => `(
  SELECT encode(sha256(convert_to(${head}
    || coalesce(string_agg(e.code || E'\\n', '' ORDER BY e.position), ''), 'UTF8')), 'hex')
  FROM draw_entry e WHERE e.draw = ${draw})`

const writeEntries = rowsOf<{ reason: string | null; count: number }, [draw: number]>(
  `WITH candidate AS (
     SELECT t.code, CASE WHEN t.voided_at IS NOT NULL THEN 'void'
       WHEN m.banned_at IS NOT NULL THEN 'banned'
       WHEN d.draw IS NOT NULL THEN 'won in draw ' || d.draw END AS reason
     FROM ticket t JOIN member m ON m.id = t.member_id
     LEFT JOIN draw_result d ON d.ticket_code = t.code
     WHERE t.stage <= $1
   ),
   entered AS (
     INSERT INTO draw_entry (draw, position, code)
     SELECT $1, row_number() OVER (ORDER BY code COLLATE "C"), code
       FROM candidate WHERE reason IS NULL
   ),
   excluded AS (
     INSERT INTO draw_exclusion (draw, code, reason)
     SELECT $1, code, reason FROM candidate WHERE reason IS NOT NULL
   )
   SELECT reason, count(*)::int AS count FROM candidate GROUP BY reason ORDER BY reason`,
)

const writeList = rowOf<
  { sha256: string },
  [draw: number, frozenAt: Date, count: number, head: string]
>(
  `INSERT INTO draw_list (draw, frozen_at, count, sha256, head)
   VALUES ($1, $2, $3, ${listDigest('$4', '$1')}, $4) RETURNING sha256`,
)

const headOf = (site: string, draw: number, count: number, frozenAt: string): string =>
  [
    `event: ${site}`,
    `draw: ${draw}`,
    `stages: ${DRAWS.slice(0, draw)
      .map(({ stage }) => stage)
      .join(' ')}`,
    `count: ${count}`,
    `frozen: ${frozenAt}`,
    '',
  ].join('\n')

/** The caller has checked that the draw may be frozen. */
export async function writeDrawList(tx: Queryable, site: string, draw: number, at: Date) {
  const groups = await writeEntries(tx, draw)
  const count = groups.find(({ reason }) => reason === null)?.count ?? 0
  const head = headOf(site, draw, count, eventTimeText(at))
  const written = await writeList(tx, draw, at, count, head)
  const excluded = groups.flatMap((group) => (group.reason === null ? [] : [group]))
  return {
    count,
    sha256: written?.sha256 ?? '',
    excluded: Object.fromEntries(excluded.map((group) => [group.reason, group.count])),
  }
}

export const removeDrawList = rowOf<{ sha256: string }, [draw: number]>(
  `WITH entries AS (DELETE FROM draw_entry WHERE draw = $1),
     exclusions AS (DELETE FROM draw_exclusion WHERE draw = $1)
   DELETE FROM draw_list WHERE draw = $1 RETURNING sha256`,
)

const findOutdatedLists = rowsOf<
  { draw: number; problem: string },
  [code: string | null, memberId: string | null, lastDraw: number]
>(
  `WITH corrected AS (
     SELECT t.code, t.voided_at IS NULL AND m.banned_at IS NULL AS is_valid
     FROM ticket t JOIN member m ON m.id = t.member_id WHERE t.code = $1 OR t.member_id = $2
   )
   SELECT x.draw, 'left out of' AS problem
   FROM draw_exclusion x JOIN corrected c USING (code)
   WHERE c.is_valid AND x.draw > $3
     AND NOT EXISTS (SELECT FROM draw_result d WHERE d.ticket_code = c.code)
   UNION
   SELECT e.draw, 'still in'
   FROM draw_entry e JOIN corrected c USING (code)
   WHERE NOT c.is_valid AND e.draw > $3
   ORDER BY draw, problem`,
)

/** Time to commit a list before its draw begins, when caches may load its file. */
export const COMMIT_GRACE_MS = 60_000

/**
 * Says which lists that can still be replaced lack tickets that may win again
 * or hold some that may not, and what to do. Undefined: none.
 */
export async function outdatedListNote(
  tx: Queryable,
  { code, memberId }: { code?: string; memberId?: string },
  at: Date,
): Promise<string | undefined> {
  const lastDraw = lastDrawBegun(new Date(at.getTime() + COMMIT_GRACE_MS))
  const lists = await findOutdatedLists(tx, code ?? null, memberId ?? null, lastDraw)
  if (lists.length === 0) return undefined
  return lists
    .map(
      ({ draw, problem }) => `${problem} list ${draw}: draw freeze ${draw} --again --reason TEXT`,
    )
    .join('; ')
}

const readHead = rowOf<{ head: string; count: number }, [draw: number]>(
  'SELECT head, count FROM draw_list WHERE draw = $1',
)

const CHUNK_CODES = 20_000

const readCodes = rowOf<{ text: string }, [draw: number, after: number]>(
  `SELECT string_agg(code || E'\\n', '' ORDER BY position) AS text FROM draw_entry
   WHERE draw = $1 AND position > $2 AND position <= $2::int + ${CHUNK_CODES}`,
)

/** Reads in constant memory, without a transaction. Undefined: no list. */
export async function readListFile(
  db: Queryable,
  draw: number,
): Promise<AsyncIterable<string> | undefined> {
  const list = await readHead(db, draw)
  if (!list) return undefined
  const { head, count } = list
  return (async function* () {
    yield head
    for (let after = 0; after < count; after += CHUNK_CODES)
      yield (await readCodes(db, draw, after))?.text ?? ''
  })()
}

/** Enough hexadecimal digits to tell a list from a wrong one, and to type. */
const SHORTEST_DIGEST = 8

/** The digest's first digits are enough. @throws a sentence for the operator */
export async function listOfDigest(db: Queryable, typed: string): Promise<DrawList> {
  const digest = typed.toLowerCase().replace(/[^0-9a-f]/g, '')
  if (digest.length < SHORTEST_DIGEST)
    throw new Error(`--list needs at least the first ${SHORTEST_DIGEST} digits of the digest`)
  const lists = await readDrawLists(db)
  const list = lists.find(({ sha256 }) => sha256.startsWith(digest))
  if (list) return list
  const known = lists.map(({ draw, sha256 }) => `draw ${draw}: ${sha256}`)
  throw new Error(
    `no frozen list has the digest ${typed}; ${known.length > 0 ? `there are ${known.join(', ')}` : 'no draw is frozen'}`,
  )
}

/** Checked by `event verify` and each import of results. */
export const LIST_INVARIANTS: readonly (readonly [name: string, text: string])[] = [
  [
    "every draw's list is the file whose digest was published",
    `SELECT 'draw ' || l.draw FROM draw_list l
     WHERE l.sha256 <> ${listDigest('l.head', 'l.draw')}
       OR l.count <> (SELECT count(*) FROM draw_entry e WHERE e.draw = l.draw)
       OR l.sha256 IS DISTINCT FROM (SELECT a.detail ->> 'sha256' FROM audit a
         WHERE a.subject = 'draw ' || l.draw AND a.what = 'freeze' ORDER BY a.id DESC LIMIT 1)`,
  ],
  [
    "every ticket of a draw's stages is in its list, or was left out by the freeze",
    `SELECT 'draw ' || draw || ', ' || code
     FROM (SELECT l.draw, t.code FROM draw_list l JOIN ticket t ON t.stage <= l.draw) due
     FULL JOIN (
       SELECT draw, code, count(*) AS times
       FROM (SELECT draw, code FROM draw_entry UNION ALL SELECT draw, code FROM draw_exclusion) e
       GROUP BY draw, code) known USING (draw, code)
     WHERE due IS NULL OR times IS DISTINCT FROM 1`,
  ],
  [
    'every winner of a draw with a list is in that list',
    `SELECT 'draw ' || d.draw || ', ' || d.ticket_code
       FROM draw_result d JOIN draw_list l USING (draw)
     WHERE NOT EXISTS (
       SELECT FROM draw_entry e WHERE (e.code, e.draw) = (d.ticket_code, d.draw))`,
  ],
]
