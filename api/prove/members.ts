import { Agent, request } from 'node:http'
import { MISSION_CODES } from '@anniversary/shared/contract/event'
import type { Database } from '../src/database/database.ts'
import { saveMembers, startSession } from '../src/repositories/members.ts'
import { accountKey, bankHash, newToken, tokenHash } from '../src/rules/credentials.ts'
import { completeBatch } from '../src/use-cases/complete.ts'
import { PEPPER } from './api-process.ts'

export interface Player {
  readonly account: string
  readonly token: string
}

/** Adds members with sessions, whose missions are completed. @param tickets of each mission in turn */
export async function addPlayers(
  database: Database,
  prefix: string,
  count: number,
  tickets: readonly number[] = [1, 1, 1, 1, 1, 1],
): Promise<Player[]> {
  const players = Array.from({ length: count }, (_, i) => ({
    account: `${prefix}${i + 1}`,
    token: newToken(),
  }))
  await database.transaction(async (tx) => {
    const saved = await saveMembers(
      tx,
      players.map(({ account }) => ({
        account,
        accountKey: accountKey(account),
        bankHash: bankHash(PEPPER, account, '1234'),
        addressRequired: false,
      })),
    )
    const ids = new Map(saved.map((member) => [member.accountKey, member.id]))
    for (const { account, token } of players) {
      await startSession(tx, tokenHash(token), ids.get(accountKey(account)) ?? '', 24)
    }
    const completions = players.flatMap(({ account }) =>
      MISSION_CODES.map((code, i) => ({
        username: account,
        event_code_detail: code,
        tickets: tickets[i] ?? 1,
      })),
    )
    await completeBatch(tx, { completions }, new Date('2025-08-20T20:00:00+07:00'))
  })
  return players
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

export interface Claimed {
  /** HTTP status; 0: no answer. */
  readonly status: number
  readonly statusCode?: number
  readonly codes?: readonly string[]
}

/** Claims a mission, over kept connections. Never rejects: a broken connection is status 0. */
export function claim(origin: string, token: string, mission: string): Promise<Claimed> {
  const body = JSON.stringify({ event_code_detail: mission })
  return new Promise((done) => {
    const sending = request(`${origin}/api/client/take-code?event_code_detail=${mission}`, {
      agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-sign-key': token,
      },
    })
    sending.on('error', () => done({ status: 0 }))
    sending.on('response', (response) => {
      let text = ''
      response.on('error', () => done({ status: 0 }))
      response.on('aborted', () => done({ status: 0 }))
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => {
        const status = response.statusCode ?? 0
        try {
          const { status_code, data } = JSON.parse(text)
          const codes = Array.isArray(data) ? data : data?.code
          done({ status, statusCode: status_code, ...(codes && { codes }) })
        } catch {
          done({ status: 0 })
        }
      })
    })
    sending.end(body)
  })
}
