import { MISSION_CODES } from '@anniversary/shared/contract/missions'
import { type Envelope, historyData } from '@anniversary/shared/contract/wire'
import { complete } from '../src/backoffice/complete.ts'
import { type Database, rowsOf } from '../src/database/database.ts'
import { type DatabasePlace, openDatabase } from '../src/database/open.ts'
import { newMember, saveMembers } from '../src/login/members.ts'
import { newToken, sessionKey, startSession } from '../src/login/session.ts'
import { syncMissions } from '../src/missions/mission-list.ts'
import { verify } from '../src/operator/verify.ts'
import { loginKeys, openLoginKeys } from '../src/server/pepper.ts'
import { PEPPER } from './api-process.ts'
import type { StoredTicket } from './claim-history.ts'
import { check } from './report.ts'

export interface Player {
  readonly account: string
  readonly token: string
}

const keys = loginKeys(PEPPER)

/** Adds members with sessions, whose missions are completed. @param prefix in lower case @param tickets of each mission in turn */
export async function addPlayers(
  database: Database,
  prefix: string,
  count: number,
  tickets: readonly number[] = [1, 1, 1, 1, 1, 1],
): Promise<Player[]> {
  const accounts = Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`)
  return database.transaction(async (tx) => {
    const saved = await saveMembers(
      tx,
      accounts.map((account) => newMember(keys, account, '1234')),
    )
    const players = saved.map(({ id, accountKey: account }) => ({ account, id, token: newToken() }))
    for (const { id, token } of players) await startSession(tx, sessionKey(token), id, 24)
    const completions = players.flatMap(({ account }) =>
      MISSION_CODES.map((code, i) => ({
        username: account,
        event_code_detail: code,
        tickets: tickets[i] ?? 1,
      })),
    )
    await complete(tx, completions, new Date('2025-08-20T20:00:00+07:00'))
    return players
  })
}

const PLAYERS_A_BATCH = 500

/** Fills the database of a proof. @param tickets of each mission in turn */
export async function seed(
  place: DatabasePlace,
  count: number,
  tickets?: readonly number[],
): Promise<Player[]> {
  const database = await openDatabase(place, () => undefined)
  await openLoginKeys(database, { loginPepper: PEPPER, dataDir: '' })
  await syncMissions(database)
  const players: Player[] = []
  while (players.length < count) {
    const more = Math.min(PLAYERS_A_BATCH, count - players.length)
    players.push(...(await addPlayers(database, `batch${players.length}-`, more, tickets)))
  }
  await database.close()
  return players
}

/** Recounts every invariant of the database of a proof. */
export async function checkSound(place: DatabasePlace): Promise<void> {
  const database = await openDatabase(place, () => undefined)
  check(await verify(database, () => undefined), 'event verify holds')
  await database.close()
}

const storedTicketsOf = rowsOf<StoredTicket, []>(
  'SELECT o.account AS member, t.mission, t.code FROM ticket t JOIN member o ON o.id = t.member_id',
)

export async function storedTickets(place: DatabasePlace): Promise<StoredTicket[]> {
  const database = await openDatabase(place, () => undefined)
  return storedTicketsOf(database).finally(() => database.close())
}

/** Longer than any answer may take. */
const PATIENCE_MS = 60_000

export interface Answer {
  /** HTTP status; 0: no answer. */
  readonly status: number
  /** It says in a sentence what is wrong, and in `retry-after` when to ask again. */
  readonly isExplained: boolean
  /** Of `performance.now()`. */
  readonly times: { readonly sentAt: number; readonly answeredAt: number }
  /** Of the envelope, when one came. */
  readonly statusCode?: number
  readonly data?: unknown
}

/** Sends a call of a member. Never rejects: a broken connection is status 0. */
export async function call(url: string, token: string, body?: object): Promise<Answer> {
  const headers = { 'x-sign-key': token, 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const sentAt = performance.now()
  const times = () => ({ sentAt, answeredAt: performance.now() })
  try {
    const response = await fetch(url, {
      signal,
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    const { status_code, message, data } = (await response.json()) as Envelope<unknown> // every answer
    const isExplained = response.headers.has('retry-after') && !!message
    return { status: response.status, isExplained, times: times(), statusCode: status_code, data }
  } catch {
    return { status: 0, isExplained: false, times: times() }
  }
}

/** Claims a mission. @returns the answer, with its codes when it was granted */
export async function claim(origin: string, token: string, mission: string) {
  const url = `${origin}/api/client/take-code?event_code_detail=${mission}`
  const answer = await call(url, token, { event_code_detail: mission })
  // The two shapes of takeCodeData (contract/wire.ts).
  const data = answer.data as string[] | { code: string[] } | null | undefined
  const codes = Array.isArray(data) ? data : data?.code
  return { ...answer, ...(codes && { codes }) }
}

/** Reads a member's tickets. @returns the answer, with the codes by mission when there was one */
export async function readCodes(
  origin: string,
  token: string,
): Promise<Answer & { codes?: ReadonlyMap<string, readonly string[]> }> {
  const answer = await call(`${origin}/api/client/history`, token)
  if (answer.status !== 200) return answer
  const { code_details } = historyData.parse(answer.data)
  return { ...answer, codes: new Map(code_details.map((each) => [each.event_code_detail, each.code])) }
}
