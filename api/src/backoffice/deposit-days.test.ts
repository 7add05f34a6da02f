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
  const keptDays = async () => {
    const [row] = await api.sql<{ days: string }>(
      'SELECT deposit_days::text AS days FROM stage_activity WHERE member_id = $1',
      [id],
    )
    return row?.days
  }
  /** As a version without the columns. */
  const forgetDays = () =>
    api.sql("UPDATE stage_activity SET deposit_days = '{}' WHERE member_id = $1", [id])
  return { ...session, id, progress, keptDays, forgetDays }
}

test('days that another version has booked are counted, and kept later', async () => {
  const { token, progress, keptDays, forgetDays } = await addDepositor()
  expect(await keptDays()).toBe('{[2025-08-11,2025-08-16)}')

  await forgetDays()
  expect(await progress()).toBe(5)
  expect((await api.claim(token, 'NAP_STREAK', RANGE)).body.status_code).toBe(200)
  expect(await api.isSound()).toBe(true)

  expect(await recountStaleDays(api.database)).toBe(1)
  expect(await keptDays()).toBe('{[2025-08-11,2025-08-16)}')
  expect(await recountStaleDays(api.database)).toBe(0)
})

test('a list reads the kept days of a member, not the ledger', async () => {
  const { id, progress } = await addDepositor()
  const keep = (days: string) =>
    api.sql(
      'UPDATE stage_activity SET deposit_days = $2, kept_by = pg_current_xact_id()::xid WHERE member_id = $1',
      [id, days],
    )
  await keep('{[2025-08-11,2025-08-13),[2025-08-14,2025-08-16),[2025-08-25,2025-08-26)}')
  expect(await progress()).toBe(2)
  expect(await api.isSound()).toBe(false)
  await keep('{[2025-08-11,2025-08-16)}')
  expect(await api.isSound()).toBe(true)
})

test('a recount stops when the server does', async () => {
  const { keptDays, forgetDays } = await addDepositor()
  await forgetDays()
  expect(await recountStaleDays(api.database, () => true)).toBe(0)
  expect(await keptDays()).toBe('{}')
})
