import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SHARE_MISSION } from '@anniversary/shared/contract/missions'
import { type Database, pagesOfSite, type Queryable } from '../database/database.ts'
import { IS_UNDECIDED, NEEDS_REVIEW } from '../missions/rules.ts'
import { claimDeadline } from '../missions/stages.ts'
import { AUDIT } from './audit.ts'

interface Export {
  readonly about: string
  readonly columns: readonly string[]
  readonly query: string
  readonly order: string
}

/** Void tickets and banned members take part in no draw and get no prize. */
export const csvExportKinds = {
  tickets: {
    about: 'valid tickets, also those that have won: `draw freeze` makes the list of a draw',
    columns: ['code', 'stage', 'mission', 'claimed_at', 'username'],
    query: `SELECT t.member_id, t.stage, t.slot, t.code, m.name #>> '{}' AS mission,
      event_time(t.claimed_at) AS claimed_at
      FROM valid_ticket t JOIN mission m ON m.code = t.mission`,
    order: 'x.member_id, x.stage, x.slot',
  },
  winners: {
    about: 'winning tickets, and when their gift codes were exchanged',
    columns: ['draw', 'prize', 'code', 'username', 'giftcode', 'exchanged_at', 'delivery'],
    query: `SELECT t.member_id, d.draw, d.prize, t.code, d.giftcode,
      event_time(g.traded_at) AS exchanged_at,
        CASE WHEN d.giftcode IS NOT NULL THEN NULL
          WHEN v.delivered_at IS NOT NULL THEN 'handed over ' || event_time(v.delivered_at)
          ELSE 'open, lapses ' || event_time(${claimDeadline('d.draw')}) END AS delivery
      FROM draw_result d JOIN valid_ticket t ON t.code = d.ticket_code
      LEFT JOIN giftcode_trade g USING (ticket_code) LEFT JOIN delivery v USING (ticket_code)`,
    order: 'x.draw, x.prize, x.code',
  },
  exchanges: {
    about: 'exchanged gift codes, also those of members who were banned later',
    columns: ['traded_at', 'giftcode', 'draw', 'prize', 'code', 'username'],
    query: `SELECT g.member_id, event_time(g.traded_at) AS traded_at, d.giftcode, d.draw,
      d.prize, ticket_code AS code
      FROM giftcode_trade g JOIN draw_result d USING (ticket_code)`,
    order: 'x.traded_at, x.code',
  },
  shares: {
    about: 'links of claimed share missions, one per line',
    columns: ['username', 'stage', 'claimed_at', 'link'],
    query: `SELECT mm.member_id, mm.stage, event_time(mm.claimed_at) AS claimed_at, l.link, l.n
      FROM member_mission mm, jsonb_array_elements_text(mm.proof -> 'share_links')
        WITH ORDINALITY AS l (link, n)
      WHERE mm.mission = '${SHARE_MISSION}' AND mm.claimed_at IS NOT NULL`,
    order: 'x.claimed_at, x.member_id, x.stage, x.n',
  },
  review: {
    about:
      'claimed missions whose tickets the ledger no longer gives, or whose share links another member has sent too; without those that "void", "ban" or "keep" has decided',
    columns: ['username', 'stage', 'mission', 'claimed_at', 'codes', 'why'],
    query: `WITH reused AS (
        SELECT page FROM member_mission mm,
          jsonb_array_elements_text(mm.proof -> 'shared_pages') p (page)
        WHERE mm.claimed_at IS NOT NULL GROUP BY page HAVING count(DISTINCT mm.member_id) > 1
      )
      SELECT mm.member_id, mm.stage, mm.mission, event_time(mm.claimed_at) AS claimed_at,
        valid.codes,
        CASE WHEN ${NEEDS_REVIEW} THEN 'reversal or undo-completion'
          ELSE 'links of others: ' || r.pages END AS why
      FROM member_mission mm, LATERAL (
        SELECT string_agg(page, ' ' ORDER BY page) AS pages
        FROM jsonb_array_elements_text(mm.proof -> 'shared_pages') p (page)
          JOIN reused USING (page)
      ) r, LATERAL (
        SELECT string_agg(t.code, ' ' ORDER BY t.slot) AS codes FROM valid_ticket t
        WHERE (t.member_id, t.stage, t.mission) = (mm.member_id, mm.stage, mm.mission)
      ) valid
      WHERE mm.claimed_at IS NOT NULL AND (${NEEDS_REVIEW} OR r.pages IS NOT NULL)
        AND ${IS_UNDECIDED}`,
    order: 'x.claimed_at, username',
  },
  audit: {
    about: 'all changes by operators',
    columns: ['at', 'who', 'what', 'subject', 'why', 'detail'],
    query: AUDIT,
    order: 'x.id',
  },
} as const satisfies Record<string, Export>

export type ExportName = keyof typeof csvExportKinds

const ADDRESS = ['fullname', 'phone_number', 'address', 'note'] as const

/**
 * Positions where a spreadsheet may start a formula, also when it splits cells
 * at another separator than the export's.
 */
const FORMULA = /(^|[,;\t\r\n])(?=[\s"']*[=+\-@＝＋－＠])/g

/** A spreadsheet would drop leading zeros, and digits beyond the fifteenth. */
const NUMBER = /^\s*\d[\d.,\s]*(E\d+)?\s*$/i

/**
 * An apostrophe keeps a spreadsheet from running members' input as a formula
 * and from rounding it. A terminal would run control characters.
 */
function harmlessText(value: unknown): string {
  const written = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const text = written.replace(/(?![\t\r\n])\p{Cc}/gu, '\uFFFD')
  if (typeof value === 'string' && NUMBER.test(text)) return `'${text}`
  return text.replace(FORMULA, "$1'")
}

function quoteCsvField(value: unknown, separator: string): string {
  const text = harmlessText(value ?? '')
  const needsQuotes = /[",;\t\n\r]/.test(text) || text.includes(separator)
  if (!needsQuotes) return text
  return `"${text.replaceAll('"', '""')}"`
}

export async function* csvLines(
  tx: Queryable,
  name: string,
  { columns, query }: Pick<Export, 'columns' | 'query'>,
  separator = ',',
  onRows?: (count: number) => void,
): AsyncGenerator<string> {
  yield `${columns.join(separator)}\n`
  for await (const rows of pagesOfSite<Record<string, unknown>>(tx, name, query)) {
    onRows?.(rows.length)
    const lineOf = (row: Record<string, unknown>) =>
      columns.map((column) => quoteCsvField(row[column], separator)).join(separator)
    yield rows.map((row) => `${lineOf(row)}\n`).join('')
  }
}

export interface ExportOptions {
  readonly addresses?: boolean
  /** Default: a comma. */
  readonly separator?: string
}

/**
 * Ends `out` unless it is standard output. Returns the number of lines without
 * the header.
 */
export async function writeCsvExport(
  database: Database,
  name: ExportName,
  out: Writable,
  { addresses = false, separator = ',' }: ExportOptions = {},
): Promise<number> {
  const { columns, query, order }: Export = csvExportKinds[name]
  const all = addresses ? [...columns, ...ADDRESS] : columns
  const text = `SELECT x.*, o.account AS username, ${ADDRESS.map((column) => `a.${column}`).join(', ')}
    FROM (${query}) x LEFT JOIN member o ON o.id = x.member_id
    LEFT JOIN member_address a ON a.member_id = o.id ORDER BY ${order}`
  let count = 0
  async function* csv(tx: Queryable) {
    // Excel on Windows reads UTF-8 only after a byte order mark.
    yield '\uFEFF'
    const table = { columns: all, query: text }
    yield* csvLines(tx, `export-${name}`, table, separator, (rows) => {
      count += rows
    })
  }
  await database.transaction((tx) => pipeline(csv(tx), out, { end: out !== process.stdout }))
  return count
}
