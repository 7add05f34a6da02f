import { expect, test } from '@jest/globals'
import { startTestApi } from '../../test/test-api.ts'
import { recountStaleDays } from './deposit-days.ts'

const api = await startTestApi()

const WEEK = [11, 12, 13, 14, 15].map((day) => `2025-08-${day}`)
const RANGE = { startTimeStreak: '2025-08-11', endTimeStreak: '2025-08-15' }

async function addDepositor() {
  const session = await api.addSession()
  const [{ id } = { id: '' }] = await api.sql<{ id: string }>(
    'SELECT id FROM member WHERE account = $1',
    [session.account],
  )
  for (const day of WEEK) await api.act(session.account, [day, 'deposit', 100])
  const progress = async () => {
    const { body } = await api.call({ url: '/api/client/info', token: session.token })
    return body.data[2].progress.value
  }
  const keptDays = () =>
    api.sql(
      'SELECT stage, day::text, deposits FROM deposit_day WHERE member_id = $1 ORDER BY day',
      [id],
    )
  return { ...session, id, progress, keptDays }
}

test('days that another version has booked are counted, and kept later', async () => {
  const { token, id, progress, keptDays } = await addDepositor()
  const all = await keptDays()
  expect(all).toEqual(WEEK.map((day) => ({ stage: 1, day, deposits: 1 })))

  await api.sql("DELETE FROM deposit_day WHERE member_id = $1 AND day > '2025-08-12'", [id])
  expect(await progress()).toBe(5)
  expect((await api.claim(token, 'NAP_STREAK', RANGE)).body.status_code).toBe(200)
  expect(await api.isSound()).toBe(true)

  expect(await recountStaleDays(api.database)).toBe(1)
  expect(await keptDays()).toEqual(all)
  expect(await recountStaleDays(api.database)).toBe(0)
})

test('a list reads the kept days of a member, not the ledger', async () => {
  const { id, progress } = await addDepositor()
  const move = (to: string, from: string) =>
    api.sql('UPDATE deposit_day SET day = $2 WHERE member_id = $1 AND day = $3', [id, to, from])
  await move('2025-08-25', '2025-08-13')
  expect(await progress()).toBe(2)
  expect(await api.isSound()).toBe(false)
  await move('2025-08-13', '2025-08-25')
  expect(await api.isSound()).toBe(true)
})

test('a recount stops when the server does', async () => {
  const { id, keptDays } = await addDepositor()
  await api.sql('DELETE FROM deposit_day WHERE member_id = $1', [id])
  expect(await recountStaleDays(api.database, () => true)).toBe(0)
  expect(await keptDays()).toEqual([])
})
