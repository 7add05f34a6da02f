import { batchOf, type Queryable, rowOf, rowsOf } from '../database/database.ts'
import { IS_UNDECIDED, NEEDS_REVIEW } from '../missions/rules.ts'
import { type BatchData, type Outcome, tallyOutcomes } from '../server/answers.ts'

export interface DrawResult {
  readonly code: string
  readonly draw: number
  readonly prize: string
  readonly giftcode: string | null
}

/** Rejects when a ticket is unknown or has already won. */
export const addDrawResults = batchOf<never, DrawResult>(
  `INSERT INTO draw_result (ticket_code, draw, prize, giftcode)
   SELECT * FROM unnest($1::text[], $2::smallint[], $3::text[], $4::text[])`,
  ['code', 'draw', 'prize', 'giftcode'],
)

export interface ImportRules {
  /** The draw of the operator's list. Null: lines of draws without a list. */
  readonly listOf: number | null
  /** Also imports results that an operator took back. */
  readonly again: boolean
}

interface TicketState {
  readonly stage: number
  /** Since when and by whom it cannot win: void, or its member is banned. */
  readonly invalid: string | null
  readonly isUndecided: boolean
  readonly draw: number | null
  readonly isSame: boolean
  readonly isGiftcodeKnown: boolean
  readonly hasList: boolean
  readonly position: number | null
  readonly exclusion: string | null
  readonly takenBack: string | null
}

const readTicket = rowOf<
  TicketState,
  [code: string, draw: number, prize: string, giftcode: string | null]
>(
  `SELECT t.stage,
     CASE WHEN t.voided_at IS NOT NULL THEN concat('void since ', event_time(t.voided_at),
         (SELECT ' by ' || who FROM audit WHERE subject = t.code AND what = 'void'
           ORDER BY id DESC LIMIT 1))
       WHEN m.banned_at IS NOT NULL THEN concat('its member is banned since ', event_time(m.banned_at),
         (SELECT ' by ' || who FROM audit WHERE member_id = m.id AND what = 'ban'
           ORDER BY id DESC LIMIT 1))
     END AS invalid,
     ${NEEDS_REVIEW} AND ${IS_UNDECIDED} AS "isUndecided",
     d.draw,
     (d.draw, d.prize, d.giftcode) IS NOT DISTINCT FROM ($2::smallint, $3::text, $4::text) AS "isSame",
     EXISTS (SELECT FROM draw_result WHERE giftcode = $4) AS "isGiftcodeKnown",
     EXISTS (SELECT FROM draw_list WHERE draw = $2) AS "hasList",
     (SELECT e.position FROM draw_entry e WHERE (e.code, e.draw) = (t.code, $2)) AS position,
     (SELECT x.reason FROM draw_exclusion x WHERE (x.draw, x.code) = ($2, t.code)) AS exclusion,
     (SELECT 'by ' || a.who || ' at ' || event_time(a.at) FROM audit a
      WHERE a.subject = t.code AND a.what = 'undo-draw'
        AND (a.detail ->> 'draw', a.detail ->> 'prize', a.detail ->> 'giftcode')
          IS NOT DISTINCT FROM ($2::text, $3::text, $4::text)
      ORDER BY a.id DESC LIMIT 1) AS "takenBack"
   FROM ticket t JOIN member m ON m.id = t.member_id
     LEFT JOIN draw_result d ON d.ticket_code = t.code
   LEFT JOIN member_mission mm
     ON (mm.member_id, mm.stage, mm.mission) = (t.member_id, t.stage, t.mission)
   WHERE t.code = $1`,
)

function listProblem(
  { draw, prize }: DrawResult,
  { hasList, position, exclusion, invalid }: TicketState,
  listOf: number | null,
): string | undefined {
  if (listOf === null) {
    if (hasList) return `draw: its list is frozen; give its digest with --list`
    if (invalid === null) return undefined
    return `code: ${invalid}; "event ${invalid.startsWith('void') ? 'unvoid' : 'unban'}" first`
  }
  if (draw !== listOf) return `draw: the list is that of draw ${listOf}`
  if (position === null) {
    const missing = `code: is not in the list of draw ${draw}`
    if (exclusion === null) return missing
    return `${missing}, which left it out: ${exclusion}`
  }
  if (invalid === null) return undefined
  return `code: number ${position} of the list, but ${invalid}; draw ${prize} again`
}

/**
 * A ticket takes part in the draw of its stage and in later ones, and wins
 * once.
 */
async function addResult(
  tx: Queryable,
  result: DrawResult,
  { listOf, again }: ImportRules,
): Promise<Outcome<string>> {
  const { code, draw, prize, giftcode } = result
  const ticket = await readTicket(tx, code, draw, prize, giftcode)
  if (!ticket) return 'code: no such ticket'
  if (ticket.stage > draw) return `draw: the ticket is of stage ${ticket.stage}`

  const problem = listProblem(result, ticket, listOf)
  if (problem !== undefined) return problem
  if (ticket.isUndecided)
    return `code: waits for a decision, see "export review": "keep" it, or "void" it and draw ${prize} again`
  if (ticket.isSame) return 'repeated'
  if (ticket.draw !== null) return `code: has won already, in draw ${ticket.draw}`
  if (ticket.takenBack !== null && !again)
    return `code: its result was taken back ${ticket.takenBack}; --again with --reason imports it all the same`
  if (ticket.isGiftcodeKnown) return 'giftcode: belongs to another ticket'

  await addDrawResults(tx, [result])
  return 'accepted'
}

/**
 * Concurrent imports would miss each other's gift codes, and corrections would
 * miss results and lists that are being written. Exchanges do not wait for this
 * lock. It comes before all others, which prevents deadlocks.
 */
export const lockDrawResults = rowOf<never, []>(
  'LOCK TABLE draw_result IN SHARE ROW EXCLUSIVE MODE',
)

const findInLaterLists = rowsOf<{ code: string }, [codes: readonly string[]]>(
  `SELECT DISTINCT d.ticket_code AS code FROM draw_result d
   JOIN draw_entry e ON e.code = d.ticket_code AND e.draw > d.draw
   WHERE d.ticket_code = ANY($1::text[]) ORDER BY code`,
)

/** Its reasons are sentences for the operator. */
export async function importDrawResults(
  tx: Queryable,
  results: readonly DrawResult[],
  rules: ImportRules,
): Promise<
  BatchData & { giftcodes: number; inLaterLists: readonly string[]; won: readonly DrawResult[] }
> {
  await lockDrawResults(tx)
  const outcomes: Outcome<string>[] = []
  for (const result of results) outcomes.push(await addResult(tx, result, rules))
  const codes = results.map(({ code }) => code)
  const inLaterLists = (await findInLaterLists(tx, codes)).map(({ code }) => code)
  const won = results.filter((_, index) => outcomes[index] === 'accepted')
  const giftcodes = won.filter(({ giftcode }) => giftcode !== null).length
  return { ...tallyOutcomes(outcomes), giftcodes, inLaterLists, won }
}
