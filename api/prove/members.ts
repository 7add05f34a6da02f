import { MISSION_CODES } from '@anniversary/shared/contract/missions'
import { historyData } from '@anniversary/shared/contract/wire'
import { complete } from '../src/backoffice/complete.ts'
import type { Database } from '../src/database/database.ts'
import { type DatabasePlace, openDatabase } from '../src/database/open.ts'
import { newMember, saveMembers } from '../src/login/members.ts'
import { newToken, sessionKey, startSession } from '../src/login/session.ts'
import { syncMissions } from '../src/missions/mission-list.ts'
import { verify } from '../src/operator/verify.ts'
import { loginKeys, openLoginKeys } from '../src/server/pepper.ts'
import { PEPPER } from './api-process.ts'
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

export interface Claimed {
  /** HTTP status; 0: no answer. */
  readonly status: number
  readonly statusCode?: number
  readonly codes?: readonly string[]
}

interface Answer {
  /** HTTP status; 0: no answer. */
  readonly status: number
  /** The envelope, when one came. */
  readonly body?: { readonly status_code: number; readonly data: unknown }
}

/** Sends a call of a member. Never rejects: a broken connection is status 0. */
export async function call(url: string, token: string, body?: object, more: object = {}): Promise<Answer> {
  const headers = { 'x-sign-key': token, 'content-type': 'application/json', ...more }
  try {
    const response = await fetch(
      url,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    return { status: response.status, body: (await response.json()) as Answer['body'] & object } // of every answer
  } catch {
    return { status: 0 }
  }
}

/** @returns the token */
export async function login(origin: string, username: string, lastBankNumber: string, headers: object = {}) {
  const credentials = { site: 'ANNIVERSARY', username, lastBankNumber }
  const { body } = await call(`${origin}/api/client/login`, '', credentials, headers)
  return body ? (body.data as { sign: string }).sign : '' // of a right login
}

/** Claims a mission. @param more dates or links */
export async function claim(
  origin: string,
  token: string,
  mission: string,
  more: object = {},
): Promise<Claimed> {
  const url = `${origin}/api/client/take-code?event_code_detail=${mission}`
  const { status, body } = await call(url, token, { event_code_detail: mission, ...more })
  if (!body) return { status }
  // The two shapes of takeCodeData (contract/wire.ts).
  const data = body.data as string[] | { code: string[] } | null
  const codes = Array.isArray(data) ? data : data?.code
  return { status, statusCode: body.status_code, ...(codes && { codes }) }
}

/** Reads a member's tickets. @returns codes by mission; undefined: no answer */
export async function readCodes(
  origin: string,
  token: string,
): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  const { status, body } = await call(`${origin}/api/client/history`, token)
  if (status !== 200) return undefined
  const { code_details } = historyData.parse(body?.data)
  return new Map(code_details.map(({ event_code_detail, code }) => [event_code_detail, code]))
}
