import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { MISSION_CODES } from '@anniversary/shared/contract/missions'
import { type Envelope, historyData } from '@anniversary/shared/contract/wire'
import { errorMessage } from '@anniversary/shared/error-message'
import { storeCompletions } from '../src/backoffice/complete.ts'
import { BATCH_LIMIT } from '../src/backoffice/contract.ts'
import { type Database, rowsOf } from '../src/database/database.ts'
import { openPostgres } from '../src/database/postgres.ts'
import { newMember, saveMembers } from '../src/login/members.ts'
import { newToken, sessionKey, startSession } from '../src/login/session.ts'
import { syncMissions } from '../src/missions/mission-list.ts'
import { verifyInvariants } from '../src/operator/verify.ts'
import type { BatchData } from '../src/server/answers.ts'
import { loginKeys, openLoginKeys } from '../src/server/pepper.ts'
import { PEPPER } from './api-process.ts'
import { contradictions, type Observation, type StoredTicket } from './claim-history.ts'

export const BACKOFFICE_KEY = 'service-key-of-the-proofs'
export const STREAK = ['2025-08-11', '2025-08-12', '2025-08-13', '2025-08-14', '2025-08-15']

export interface Player {
  readonly id: string
  readonly account: string
  readonly token: string
}

const keys = loginKeys(PEPPER)

/**
 * Adds members with sessions. @param prefix in lower case
 * @param tickets of the missions, in their order; 0 does not complete one
 */
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
    const players = saved.map(({ accountKey: account, ...member }) => ({
      account,
      ...member,
      token: newToken(),
    }))
    for (const { id, bankHash, token } of players)
      await startSession(tx, sessionKey(token), id, bankHash, 24)
    const completions = players.flatMap(({ account }) =>
      MISSION_CODES.map((code, i) => ({
        username: account,
        event_code_detail: code,
        completed_at: '2025-08-20T20:00:00+07:00',
        tickets: tickets[i] ?? 0,
      })).filter((completion) => completion.tickets > 0),
    )
    while (completions.length > 0) await storeCompletions(tx, completions.splice(0, BATCH_LIMIT))
    return players
  })
}

export async function withDatabase<T>(
  url: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openPostgres({ connectionString: url }, () => undefined)
  return work(database).finally(() => database.close())
}

export const seed = (url: string, count: number, tickets?: readonly number[]): Promise<Player[]> =>
  withDatabase(url, async (database) => {
    await openLoginKeys(database, PEPPER)
    await syncMissions(database)
    return addPlayers(database, 'player', count, tickets)
  })

const storedTicketsOf = rowsOf<StoredTicket, []>(
  'SELECT o.account AS member, t.mission, t.code FROM ticket t JOIN member o ON o.id = t.member_id',
)

const storedLines = rowsOf<{ ref: string }, []>("SELECT ref FROM activity WHERE source = 'proof'")

/**
 * Returns the tickets, and what contradicts the answers.
 * @param worth tickets of a mission; by default those of `seed`
 */
export const problemsIn = (
  url: string,
  seen: readonly Observation[],
  worth = (_mission: string) => 1,
) =>
  withDatabase(url, async (database) => {
    const stored = await storedTicketsOf(database)
    const problems = contradictions(seen, stored, { cap: TICKETS_PER_STAGE, worth })
    const lines = new Set((await storedLines(database)).map(({ ref }) => ref))
    for (const one of seen)
      if ('refs' in one && one.answer === 'booked' && !one.refs.every((ref) => lines.has(ref)))
        problems.push(`${one.refs} are booked, but not stored`)
    if (!(await verifyInvariants(database, () => undefined)))
      problems.push('event verify finds a broken invariant')
    return { stored, problems }
  })

/** Longer than any answer may take. */
const TIMEOUT_MS = 60_000

export interface Answer {
  /** HTTP status; 0: no answer. */
  readonly status: number
  /** It has a message and `retry-after`. */
  readonly isExplained: boolean
  /** Times of `performance.now()`. */
  readonly sentAt: number
  readonly answeredAt: number
  /** Why there was no answer. */
  readonly failure?: string
}

/** Never rejects. */
export async function call(
  url: string,
  token: string,
  body?: object,
): Promise<[Answer, Envelope<unknown>?]> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const sentAt = performance.now()
  const answer = (status: number, isExplained: boolean): Answer => ({
    status,
    isExplained,
    sentAt,
    answeredAt: performance.now(),
  })
  try {
    const method = body ? 'POST' : 'GET'
    const response = await fetch(url, {
      signal,
      headers,
      method,
      body: body ? JSON.stringify(body) : null,
    })
    const envelope = (await response.json()) as Envelope<unknown> // every answer
    return [
      answer(response.status, response.headers.has('retry-after') && !!envelope.message),
      envelope,
    ]
  } catch (error) {
    return [
      {
        ...answer(0, false),
        failure: `${url}: ${errorMessage(error instanceof Error ? error.cause : error)}`,
      },
    ]
  }
}

export async function claim(
  origin: string,
  { account, token }: Player,
  mission: string,
  more: object = {},
) {
  const url = `${origin}/api/client/take-code?event_code_detail=${mission}`
  const [answer, envelope] = await call(url, token, { event_code_detail: mission, ...more })
  // The two shapes of takeCodeData (contract/wire.ts).
  const data = envelope?.data as string[] | { code: string[] } | null | undefined
  const codes = Array.isArray(data) ? data : data?.code
  const seen = codes ?? (envelope?.status_code === 4090 ? 'full' : 'lost')
  return { ...answer, kind: 'claim', member: account, mission, answer: seen } satisfies Observation
}

/** Each may be sent again: it has the same refs. */
export async function book(
  origin: string,
  { account }: Player,
  kind: 'deposit' | 'reversal',
  days: readonly string[],
) {
  const events = days.map((day) => ({
    source: 'proof',
    ref: `${account} ${kind} ${day}`,
    username: account,
    kind,
    occurred_at: `${day}T12:00:00+07:00`,
    ...(kind === 'deposit' ? { amount: 100 } : { reverses: `${account} deposit ${day}` }),
  }))
  const [answer, envelope] = await call(`${origin}/api/users/activity`, BACKOFFICE_KEY, { events })
  const data = envelope?.data as BatchData | undefined // unless the status is another than 200
  const seen = data?.refused.length === 0 ? 'booked' : 'lost'
  const refs = events.map(({ ref }) => ref)
  return { ...answer, kind, member: account, refs, answer: seen } satisfies Observation
}

export async function read(origin: string, { account, token }: Player) {
  const [answer, envelope] = await call(`${origin}/api/client/history`, token)
  const details = answer.status === 200 ? historyData.parse(envelope?.data).code_details : undefined
  const codes = details && new Map(details.map((each) => [each.event_code_detail, each.code]))
  return { ...answer, kind: 'reading', member: account, codes } satisfies Observation
}
