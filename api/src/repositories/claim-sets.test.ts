import { afterAll, expect, test } from '@jest/globals'
import { addPlayers } from '../../prove/members.ts'
import { newDatabase } from '../../test/database.ts'
import { type Queryable, statement } from '../database/database.ts'
import { sessionKey } from '../rules/credentials.ts'
import { createClaimSets } from './claim-sets.ts'
import type { ClaimRequest } from './claims.ts'
import { syncMissions } from './missions.ts'

const database = await newDatabase()
await syncMissions(database)
afterAll(() => database.close())

const request = (token: string, mission = 'NAP_300'): ClaimRequest => ({
  session: sessionKey(token),
  stage: 1,
  mission,
  at: new Date('2025-08-20T20:00:00+07:00'),
})

/** Counts the statements, and fails sets when asked to. */
function watched({ failSets = false } = {}) {
  const names: string[] = []
  const db: Queryable = {
    query(asked, values) {
      names.push(asked.name)
      if (failSets && asked.name === 'claim-set') return Promise.reject(new Error('a set failed'))
      return database.query(asked, values)
    },
  }
  return { take: createClaimSets(db), names }
}

test('claims that arrive together are one statement, each with codes of its own', async () => {
  const members = await addPlayers(database, 'together', 40)
  const { take, names } = watched()
  const taken = await Promise.all(members.map(({ token }) => take(request(token))))
  expect(names).toEqual(['claim-set'])
  expect(new Set(taken.flat()).size).toBe(40)
})

test('what a set does not grant is decided alone: the second of a member, unknown, not reached, full', async () => {
  const [member, greedy] = [
    await addPlayers(database, 'mixed', 1),
    await addPlayers(database, 'greedy', 1, [6, 1, 1, 1, 1, 1]),
  ]
  const [own = '', full = ''] = [member[0]?.token, greedy[0]?.token]
  const { take, names } = watched()
  expect(await take(request(full))).toHaveLength(6)
  const taken = await Promise.all([
    take(request(own)),
    take(request(own)),
    take(request('nobody')),
    take({ ...request(own), stage: 2 }),
    take(request(full, 'CUOC_5000')),
  ])
  expect(taken).toEqual([[expect.any(String)], undefined, undefined, undefined, 'full'])
  expect(names).toEqual([...Array(2).fill('claim-set'), ...Array(4).fill('claim-reached')])
})

test('a locked row holds up its own claim alone', async () => {
  const [locked, ...free] = await addPlayers(database, 'locked', 5)
  const lock = statement(
    'test-lock',
    `SELECT FROM member_mission WHERE member_id = (SELECT id FROM member WHERE account = $1) FOR UPDATE`,
  )
  const { take } = watched()
  const waiting = await database.transaction(async (tx) => {
    await tx.query(lock, [locked?.account])
    const held = take(request(locked?.token ?? ''))
    const others = await Promise.all(free.map(({ token }) => take(request(token))))
    expect(others).toEqual(free.map(() => [expect.any(String)]))
    return { held }
  })
  expect(await waiting.held).toEqual([expect.any(String)])
})

test('when a set fails, each of its claims is made alone', async () => {
  const members = await addPlayers(database, 'failed', 5)
  const { take } = watched({ failSets: true })
  const taken = await Promise.all(members.map(({ token }) => take(request(token))))
  expect(taken).toEqual(members.map(() => [expect.any(String)]))
})
