import { afterAll, expect, test } from '@jest/globals'
import { addPlayers } from '../../prove/members.ts'
import { newDatabase } from '../../test/database.ts'
import { namedStatement, type Queryable } from '../database/database.ts'
import { sessionKey } from '../login/session.ts'
import { syncMissions } from '../missions/mission-list.ts'
import { claimMission } from './claim.ts'
import { claimTogether, createClaimSets } from './claim-sets.ts'
import { explainClaim } from './take-tickets.ts'

const database = await newDatabase()
await syncMissions(database)
afterAll(() => database.close())

const STAGE_1 = new Date('2025-08-20T20:00:00+07:00')
const STAGE_2 = new Date('2025-09-12T20:00:00+07:00')
const CLOSED = new Date('2025-09-08T20:00:00+07:00')

function watched() {
  const kinds: string[] = []
  const db: Queryable = {
    query(asked, values) {
      const isSet = asked === claimTogether.statement
      kinds.push(isSet ? 'set' : asked === explainClaim.statement ? 'explain' : 'claim')
      return database.query(asked, values)
    },
  }
  const take = createClaimSets(db, () => undefined)
  const claim = async (token = 'nobody', { mission = 'NAP_300', now = STAGE_1 } = {}) => {
    const body = { event_code_detail: mission }
    const session = sessionKey(token)
    return (await claimMission(db, { session, body, now, shareHost: 'facebook.com' }, take)).result
  }
  return { claim, kinds }
}
const tokenOf = async (name: string, tickets?: readonly number[]) =>
  (await addPlayers(database, name, 1, tickets))[0]?.token ?? ''

test.each([
  ['not-reached', { now: STAGE_2 }, 2],
  ['repeated', { mission: 'CUOC_5000' }, 2],
  ['stage-full', { mission: 'NAP_10LAN' }, 2],
  ['stage-closed', { now: CLOSED }, 1],
  ['no-mission', { mission: 'NAP_301' }, 1],
])('a refused claim (%s) is explained by one statement', async (result, options, statements) => {
  const token = await tokenOf(`beyond-${result}-`, [1, 5, 1, 1, 2, 1])
  const { claim, kinds } = watched()
  await claim(token, { mission: 'CUOC_5000' })
  kinds.length = 0
  expect(await claim(token, options)).toBe(result)
  expect(kinds).toEqual(['set', 'explain'].slice(-statements))
})

test('concurrent claims of one member are all decided', async () => {
  // Whichever comes first, only one of the two others fits beside NAP_300.
  const token = await tokenOf('at-once-', [2, 4, 4, 1, 1, 1])
  const { claim } = watched()
  const missions = ['NAP_300', 'NAP_300', 'CUOC_5000', 'NAP_STREAK']
  expect((await Promise.all(missions.map((mission) => claim(token, { mission })))).sort()).toEqual([
    'granted',
    'granted',
    'repeated',
    'stage-full',
  ])
})

test('a claim over the cap does not fail the others of its set', async () => {
  const full = await tokenOf('full-', [1, 5, 1, 1, 2, 1])
  const others = await addPlayers(database, 'beside-full-', 3)
  const { claim, kinds } = watched()
  await claim(full, { mission: 'CUOC_5000' })
  kinds.length = 0
  const set = [claim(full, { mission: 'NAP_10LAN' }), ...others.map(({ token }) => claim(token))]
  expect(await Promise.all(set)).toEqual(['stage-full', 'granted', 'granted', 'granted'])
  expect(kinds).toEqual(['set', 'explain'])
})

test('a locked row delays only its own claim', async () => {
  const [locked, ...free] = await addPlayers(database, 'locked', 5)
  const lock = namedStatement(
    `SELECT FROM member_mission WHERE member_id = (SELECT id FROM member WHERE account = $1) FOR UPDATE`,
  )
  const { claim } = watched()
  const { held } = await database.transaction(async (tx) => {
    await tx.query(lock, [locked?.account])
    const held = claim(locked?.token)
    expect(await Promise.all(free.map(({ token }) => claim(token)))).toEqual(
      free.map(() => 'granted'),
    )
    return { held }
  })
  expect(await held).toBe('granted')
})

test('a claim that others keep changing is given up after five attempts', async () => {
  const kinds: string[] = []
  const db: Queryable = {
    async query(asked) {
      kinds.push(asked === explainClaim.statement ? 'explain' : 'claim')
      return asked === explainClaim.statement ? [{ codes: null, reason: null } as never] : []
    },
  }
  const body = { event_code_detail: 'NAP_300' }
  const claim = claimMission(db, {
    session: sessionKey('an'),
    body,
    now: STAGE_1,
    shareHost: 'facebook.com',
  })
  await expect(claim).rejects.toMatchObject({
    message: 'concurrent calls keep changing the claim',
    code: '40001',
  })
  expect(kinds).toEqual(Array(5).fill(['claim', 'explain']).flat())
})
