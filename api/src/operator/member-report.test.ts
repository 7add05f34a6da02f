import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { LINKS, startTestApi } from '../../test/test-api.ts'
import { recordChange } from './audit.ts'
import { ban } from './corrections.ts'
import { memberReport } from './member-report.ts'

const api = await startTestApi()
afterAll(() => api.close())

describe('what the operator is shown of a member', () => {
  let lines: string
  beforeAll(async () => {
    const { account, token } = await api.addSession({ account: 'Asked01' })
    await api.act(
      account,
      ['2025-08-11', 'deposit', 300],
      ['2025-08-12', 'deposit', 0.5],
      ['2025-08-11', 'bet', 1200],
    )
    await api.claim(token, 'NAP_300')
    await api.claim(token, 'CHIASE', { share_links: LINKS })
    await api.claim(token, 'CUOC_5000')
    await api.claim(token, 'CUOC_5000')
    await api.claim(token, 'NAP_STREAK', { startTimeStreak: '2025-08-10', endTimeStreak: '2025-08-14' })
    for (let i = 0; i < 6; i++) await api.login(account, '0000')
    const by = { who: 'an', what: 'ban', why: 'two accounts' }
    await api.database.transaction(async (tx) => {
      await recordChange(tx, await ban(tx, [account]), by)
    })
    lines = (await memberReport(api.database, ' asked01')).join('\n')
  })

  test.each([
    ['the member', /^Asked01, member since .*; address not needed\nBANNED since /],
    ['the sums', 'stage 1: 300.5 points in 2 deposits, 2 days in a row; 1,200 points of bets'],
    ['a ticket', /NAP_300 {4}claimed 2025-08-20T20:00:00\+07:00: \w{4}-\w{4}-\w{4}\n/],
    ['what is missing', 'CUOC_5000  missing 3,800 of 5,000 points of bets'],
    ['what a count lacks', 'NAP_10LAN  missing 8 of 10 deposits'],
    ['what a streak lacks', 'NAP_STREAK missing 3 of 5 days in a row with a deposit'],
    ['a proof', /CHIASE {5}claimed .*; proof \{"share_links":\["https:\/\/www.facebook.com\/posts\/1"/],
    ['a stage without anything', 'stage 2: nothing\nstage 3: nothing\n'],
    ['refused claims', 'stage 1  CUOC_5000: not-reached, 2 times, last 2025-08-20T20:00:00+07:00'],
    ['why a streak was refused', 'stage 1  NAP_STREAK: no-streak, 1 time, last'],
    ['sessions', 'no session'],
    ['the login lock', /6 on unknown devices, LOCKED until 20/],
    ['changes and why', /an {2}ban Asked01: two accounts$/],
  ])('%s', (_fact, text) => {
    if (typeof text === 'string') expect(lines).toContain(text)
    else expect(lines).toMatch(text)
  })
})
