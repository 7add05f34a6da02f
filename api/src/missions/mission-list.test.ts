import { STAGES } from '@anniversary/shared/contract/event'
import { missionsAnswer } from '@anniversary/shared/contract/wire'
import { expect, test } from '@jest/globals'
import { startTestApi } from '../../test/test-api.ts'
import { syncMissions } from './mission-list.ts'

const api = await startTestApi()

test.each([
  ['the end of stage 1', '2025-09-06T23:50:00+07:00', '2025-09-07T00:00:00+07:00'],
  ['the start of stage 2', '2025-09-09T23:55:00+07:00', '2025-09-10T00:00:00+07:00'],
])('some minutes before %s the list carries the one after it', async (_, now, at) => {
  const { token } = await api.addHolder()
  const list = async (time: string) => {
    api.setNow(time)
    return missionsAnswer.strict().parse((await api.call({ url: '/api/client/info', token })).body)
  }
  const { data, next } = await list(now)
  expect(next?.at).toBe(new Date(at).toISOString())
  const after = await list(at)
  expect(next?.missions).toEqual(after.data)
  expect(next?.missions).not.toEqual(data)
  expect(after.next).toBeUndefined()
  expect((await list(new Date(Date.parse(at) - 600_001).toISOString())).next).toBeUndefined()
})

test('lists are planned a few times only, also those of a closed or coming stage', async () => {
  const { token } = await api.addHolder()
  for (const time of ['08T20:00', '09T23:55', '11T20:00', '06T23:55'])
    for (let call = 0; call < 10; call++) {
      api.setNow(`2025-09-${time}:00+07:00`)
      await api.list(token)
    }
  const plans = await api.sql(
    "SELECT custom_plans::int FROM pg_prepared_statements WHERE statement LIKE 'WITH%progress%'",
  )
  expect(plans).toEqual(Array(3).fill({ custom_plans: 5 }))
})

test('a void code is in no list', async () => {
  const { token, codes } = await api.addHolder()
  const shown = async () => JSON.stringify((await api.list(token)).body)
  expect(await shown()).toContain(codes[0])
  await api.sql('UPDATE ticket SET voided_at = now() WHERE code = $1', [codes[0]])
  expect(await shown()).not.toContain(codes[0])
})

test('a day with activity does not change its stage', async () => {
  const { account } = await api.addSession()
  await api.act(account, ['2025-09-07', 'deposit', 300])
  const endOf = (stage: number, lastDay: string) =>
    syncMissions(
      api.database,
      STAGES.map((one) => (one.number === stage ? { ...one, lastDay } : one)),
    )
  await endOf(3, '2025-09-29')
  for (const lastDay of ['2025-09-07', '2025-08-10'])
    await expect(endOf(1, lastDay)).rejects.toThrow(
      /^shared\/campaign moves 2025-0(9-07|8-\d\d) to another stage or out of one/,
    )
  await endOf(3, '2025-09-28')
})

test('every answer names a spread by the number of members with a session', async () => {
  await api.addSession()
  await api.sql(
    `WITH members AS (
       INSERT INTO member (account, account_key, bank_hash, created_at)
       SELECT 'spread' || n, 'spread' || n, '', now() FROM generate_series(1, 70000) n
       RETURNING id, account, CASE WHEN substr(account, 7)::int > 60000 THEN interval '0' ELSE interval '1 day' END AS lasts
     )
     INSERT INTO session (token_hash, member_id, created_at, expires_at)
     SELECT sha256((account || device)::bytea), id, now(), now() + lasts FROM members, generate_series(1, 2) device`,
  )
  const other = await startTestApi({ database: api.database })
  let named: unknown
  while (named !== '25') named = (await other.call({ url: '/livez' })).headers['x-spread-seconds']
})

const addMission = (code: string) =>
  api.sql(
    `INSERT INTO mission SELECT $1, position, name, tickets, open_state, kind, goal FROM mission WHERE code = 'NAP_300'`,
    [code],
  )

test('after the first booking a removed mission needs a recount', async () => {
  await api.addDepositor()
  for (const goal of [100, null]) {
    await addMission('NEWER')
    await api.sql("UPDATE mission SET goal = $1 WHERE code = 'NEWER'", [goal])
    await expect(syncMissions(api.database)).rejects.toThrow(
      /: the removed mission NEWER; .*event recount/,
    )
    await api.sql("DELETE FROM mission WHERE code = 'NEWER'")
  }
  await addMission('NEWER')
  await api.sql('DELETE FROM stage_activity')
  await syncMissions(api.database)
  expect(await api.sql("SELECT FROM mission WHERE code = 'NEWER'")).toHaveLength(0)
})

test('a mission that members have reached keeps its code and kind', async () => {
  await api.addDepositor()
  const setKind = (kind: string) =>
    api.sql("UPDATE mission SET kind = $1 WHERE code = 'NAP_300'", [kind])
  const refusal = (mission: string) => `shared/campaign has no ${mission}, but members have`
  await setKind('bet-total')
  await expect(syncMissions(api.database)).rejects.toThrow(refusal('NAP_300 of kind bet-total'))
  await setKind('deposit-total')

  await addMission('OLD')
  await api.sql(
    `INSERT INTO member_mission (member_id, stage, mission, tickets, reached_by)
     SELECT member_id, stage, 'OLD', 1, 'activity' FROM member_mission WHERE mission = 'NAP_300'`,
  )
  await expect(syncMissions(api.database)).rejects.toThrow(refusal('OLD of kind deposit-total'))
})
