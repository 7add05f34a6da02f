import { expect, test } from '@jest/globals'
import { startTestApi } from '../../test/test-api.ts'
import type { Queryable } from '../database/database.ts'
import { countChangedGoals } from '../missions/changed-goals.ts'
import { campaignMissions, syncMissions } from '../missions/mission-list.ts'
import { readAuditRows } from './audit.ts'
import { memberReport } from './member-report.ts'
import { recountGoals } from './recount-goals.ts'
import { undoCompletion } from './ticket-corrections.ts'

const api = await startTestApi()

type Goals = Readonly<Record<string, number>>

function missionsWith(goals: Goals): string {
  const missions: { code: string; goal?: number }[] = JSON.parse(campaignMissions())
  return JSON.stringify(missions.map((one) => ({ ...one, goal: goals[one.code] ?? one.goal })))
}

const recountIn = (tx: Queryable, goals: Goals) =>
  recountGoals(tx, missionsWith(goals), new Date(), { who: 'an', why: 'test' })

const recount = (goals: Goals) => api.database.transaction((tx) => recountIn(tx, goals))

test('a recount moves open missions, keeps claimed ones, and can be taken back', async () => {
  const claimed = await api.addSession()
  const reached = await api.addSession()
  const below = await api.addSession()
  const days = ['2025-08-11', '2025-08-12', '2025-08-13', '2025-08-14', '2025-08-15'] as const
  for (const day of days) await api.act(claimed.account, [day, 'deposit', 70])
  await api.act(reached.account, ['2025-08-12', 'deposit', 350])
  await api.act(below.account, ['2025-08-12', 'deposit', 250])
  await api.claim(claimed.token, 'NAP_300')
  await api.claim(claimed.token, 'NAP_STREAK', {
    startTimeStreak: days[0],
    endTimeStreak: days[4],
  })
  expect(await api.states(claimed.token)).toBe('101002')

  const harder = { NAP_300: 400, NAP_STREAK: 6 }
  const expected = [
    { mission: 'NAP_300', before: 300, after: 400, reached: 0, openAgain: 1, kept: 1 },
    { mission: 'NAP_STREAK', before: 5, after: 6, reached: 0, openAgain: 0, kept: 1 },
  ]
  const counting = (tx: Queryable) => countChangedGoals(tx, missionsWith(harder))
  expect(await api.database.transaction(counting)).toEqual(expected)
  expect(await api.states(reached.token)).toBe('203002')

  expect(await recount(harder)).toEqual(expected)
  expect(await api.states(claimed.token)).toBe('101002')
  expect(await api.states(reached.token)).toBe('003002')
  // A recount may keep thousands, which would hide other changes.
  expect(await readAuditRows(api.database, null)).toEqual([])
  const kept = { what: 'keep', detail: { recount: true } }
  expect(await readAuditRows(api.database, [claimed.account])).toMatchObject([kept, kept])
  const report = (await memberReport(api.database, reached.account)).join()
  expect(report).toContain('350 of 400  taken back by a reversal or a changed goal')
  expect(await api.isSound()).toBe(true)
  await expect(recount(harder)).rejects.toThrow('changes no goal')
  // A server with the goals before does not start.
  await expect(syncMissions(api.database)).rejects.toThrow(/NAP_300 from 400 to 300.*event recount/)

  expect(await recount({ NAP_300: 200 })).toMatchObject([{ reached: 2, kept: 0 }, { kept: 0 }])
  expect(await api.states(below.token)).toBe('203002')
  expect(await api.isSound()).toBe(true)
  expect(await recount({})).toMatchObject([{ mission: 'NAP_300', openAgain: 1, kept: 0 }])
  expect(await api.states(below.token)).toBe('003002')
  expect(await api.isSound()).toBe(true)
})

test.each([
  ['a deposit', 'NAP_300', { NAP_300: 400 }],
  ['a proof', 'NAP_STREAK', { NAP_STREAK: 6 }],
])('a reversal during or after a recount reopens a claim by %s', async (_by, mission, goals) => {
  const addClaim = async () => {
    const { account, token } = await api.addSession()
    const days = [11, 12, 13, 14, 15].map((day) => `2025-08-${day}`)
    const lines = days.map((day): [string, 'deposit', number] => [day, 'deposit', 70])
    const refs = await api.act(account, ...lines)
    const proof = { startTimeStreak: days[0], endTimeStreak: days[4] }
    await api.claim(token, mission, mission === 'NAP_300' ? {} : proof)
    return {
      reverse: () => api.reverse(account, refs.slice(0, 2)),
      needsReview: () => api.needsReview(account, mission),
    }
  }
  const early = await addClaim()
  const late = await addClaim()
  await api.during(
    (tx) => recountIn(tx, goals),
    () => [early.reverse()],
  )
  expect(await early.needsReview()).toBe(true)

  expect(await late.needsReview()).toBe(false)
  await late.reverse()
  expect(await late.needsReview()).toBe(true)
  expect(await api.isSound()).toBe(true)
  await recount({})
})

test('a recount decides about no tickets that an undone completion gave', async () => {
  const { account, token } = await api.addSession()
  await api.act(account, ['2025-08-12', 'deposit', 350])
  await api.complete(account, 'NAP_300', 3)
  await api.claim(token, 'NAP_300')
  await api.correct(undoCompletion, account, 'NAP_300', '1')
  await recount({ NAP_300: 400 })
  expect(await api.needsReview(account, 'NAP_300')).toBe(true)
  await recount({})
})

test('a mission that is added after the first booking is counted for everybody', async () => {
  const { account, token } = await api.addSession()
  await api.act(
    account,
    ...Array.from({ length: 10 }, (): [string, 'deposit', number] => ['2025-08-12', 'deposit', 1]),
  )
  await api.sql("DELETE FROM member_mission WHERE mission = 'NAP_10LAN'")
  await api.sql("DELETE FROM mission WHERE code = 'NAP_10LAN'")
  await expect(syncMissions(api.database)).rejects.toThrow(
    /: the new mission NAP_10LAN; .*event recount/,
  )
  const completed = await api.complete(account, 'NAP_10LAN')
  expect(completed.refused).toEqual([{ index: 0, reason: 'unknown-mission' }])
  expect(await recount({})).toMatchObject([{ mission: 'NAP_10LAN', before: 0 }])
  expect(await api.states(token)).toBe('003022')
  expect(await api.isSound()).toBe(true)
})

test('another kind of a mission that nobody has reached needs a recount', async () => {
  const { account, token } = await api.addSession()
  await api.act(account, ['2025-08-12', 'deposit', 15_000])
  const states = await api.states(token)
  await api.sql("DELETE FROM member_mission WHERE mission = 'NAP_15000'")
  await api.sql("UPDATE mission SET kind = 'bet-total' WHERE code = 'NAP_15000'")
  await expect(syncMissions(api.database)).rejects.toThrow(
    /: the kind of NAP_15000; .*event recount/,
  )
  await recount({})
  expect(await api.states(token)).toBe(states)
  expect(await api.isSound()).toBe(true)
})

test('a mission that nobody has reached can be removed after the first booking', async () => {
  const { account, token } = await api.addSession()
  await api.act(account, ['2025-08-12', 'deposit', 1])
  await api.sql(
    `INSERT INTO mission SELECT 'GONE', 9, name, tickets, open_state, kind, goal FROM mission WHERE code = 'NAP_15000'`,
  )
  expect(await recount({})).toEqual([
    { mission: 'GONE', before: 15_000, after: 0, reached: 0, openAgain: 0, kept: 0 },
  ])
  expect(await api.states(token)).toBe('003002')
})

test('a batch that is booked during a recount is counted by the new goal', async () => {
  const { account, token } = await api.addSession()
  await api.during(
    (tx) => recountIn(tx, { NAP_300: 100 }),
    () => [api.act(account, ['2025-08-12', 'deposit', 150])],
  )
  expect(await api.states(token)).toBe('203002')
  expect(await api.isSound()).toBe(true)
})

test('a server that starts during a recount does not restore the goals before', async () => {
  const { account } = await api.addSession()
  await api.act(account, ['2025-08-12', 'deposit', 1])
  const [start] = await api.during(
    (tx) => recountIn(tx, { NAP_300: 400 }),
    () => [syncMissions(api.database).catch(String)],
  )
  expect(start).toMatch(/NAP_300 from 400 to 300/)
})
