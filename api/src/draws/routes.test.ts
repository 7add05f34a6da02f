import { expect, test } from '@jest/globals'
import { startTestApi } from '../../test/test-api.ts'
import { undoDrawResult, voidTicket } from '../operator/ticket-corrections.ts'

const api = await startTestApi()

test("results show wins without gift codes from the draw's begin", async () => {
  const [a, b] = [await api.addHolder(), await api.addHolder()]
  await api.win(a.codes[0], { draw: 1, giftcode: null })
  await api.win(a.codes[1], { draw: 2, giftcode: 'G-RESULTS' })
  const results = async () => (await api.draws()).data
  // Results that are imported earlier stay hidden until the draw begins.
  api.setNow('2025-09-19T19:59:59+07:00')
  expect((await api.history(a.token)).last_draw).toBe(1)
  expect(JSON.stringify(await api.history(a.token))).not.toContain('"draw":2')
  api.setNow('2025-09-09T19:59:59+07:00')
  expect((await api.history(a.token)).last_draw).toBeNull()
  expect(await results()).toEqual([])
  api.setNow('2025-09-19T20:00:00+07:00')
  expect(await results()).toContainEqual({
    draw: 1,
    prize: '999K',
    codes: [a.codes[0]],
    owners: [`${a.account.slice(0, 1)}***${a.account.slice(-1)}`],
    total: expect.any(Number),
  })
  const totals = [(await results())[0].total]
  await api.win(b.codes[0])
  totals.push((await results())[0].total)
  await api.correct(undoDrawResult, b.codes[0])
  await api.win(b.codes[1])
  totals.push((await results())[0].total)
  expect(new Set(totals).size).toBe(3)
  await api.correct(voidTicket, b.codes[1])
  expect((await results())[0].total).toBe(totals[0])
  expect(JSON.stringify(await results())).not.toContain(a.codes[1])
  const { code_details } = await api.history(a.token)
  expect(code_details.flatMap((entry: { prizes: object[] }) => entry.prizes)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: a.codes[0], draw: 1, prize: '999K', giftcode: false }),
      {
        code: a.codes[1],
        draw: 2,
        prize: '999K',
        giftcode: true,
        delivery: { delivered_at: null, until: '2025-10-19T23:59:59+07:00' },
      },
    ]),
  )
  expect(JSON.stringify(await api.history(b.token))).not.toContain(a.codes[0])
  await api.sql('UPDATE ticket SET voided_at = now() WHERE code = $1', [a.codes[1]])
  const { code_details: entries } = await api.history(a.token)
  expect(entries.flatMap((entry: { voided: string[] }) => entry.voided)).toEqual([a.codes[1]])
  await api.sql('UPDATE member SET banned_at = now() WHERE account = $1', [a.account])
  expect(JSON.stringify(await results())).not.toContain(a.codes[0])
})

test("the history's last draw has ended and had a ticket of the member", async () => {
  const [winner, late] = [await api.addHolder(), await api.addSession()]
  await api.win(winner.codes[0])
  await api.win(winner.codes[1], { draw: 2 })
  api.setNow('2025-09-10T12:00:00+07:00')
  await api.act(late.account, ['2025-09-10', 'deposit', 300])
  await api.claim(late.token, 'NAP_300')
  const lastDraws = async (at: string) => {
    api.setNow(`${at}+07:00`)
    const histories = [await api.history(winner.token), await api.history(late.token)]
    return histories.map(({ last_draw }) => last_draw)
  }
  expect(await lastDraws('2025-09-09T21:59:59')).toEqual([null, null])
  expect(await lastDraws('2025-09-09T22:00:00')).toEqual([1, null])
  expect(await lastDraws('2025-09-19T21:59:59')).toEqual([1, null])
  expect(await lastDraws('2025-09-19T22:00:00')).toEqual([2, 2])
})

test.each([
  ['x', '***'],
  ['𝒂𝒃', '𝒂***'],
  ['an0', 'a***'],
  ['an01', 'a***'],
  ['bình0', 'b***'],
  ['bình01', 'b***1'],
  ['nguyen02', 'ng***02'],
  ['nguyễn.văn.an', 'ng***an'],
])('the account %s is shown as %s, never more than half of it', async (account, masked) => {
  const { codes, account: given } = await api.addHolder()
  await api.sql('UPDATE member SET account = $1 WHERE account = $2', [account, given])
  await api.win(codes[0], { giftcode: null })
  api.setNow('2025-09-09T20:00:00+07:00')
  const [result] = (await api.draws()).data
  expect(result.owners).toContain(masked)

  await api.sql(`UPDATE member SET account_key = E'\\x01forgotten' WHERE account = $1`, [account])
  const [forgotten] = (await api.draws()).data
  expect(forgotten.owners).toContain('***')
  await api.sql('UPDATE member SET account_key = account WHERE account = $1', [account])
})

test('caches may keep the draws, and pages learn how long they have', async () => {
  const { headers } = await api.call({ url: '/api/client/draws' })
  expect(headers['cache-control']).toBe('public, max-age=2, stale-while-revalidate=30')
  expect(Math.abs(Date.parse(String(headers['last-modified'])) - Date.now())).toBeLessThan(30_000)
})

test.each(['01', '1e0', '0x1', '%201', '4'])("%s is no number of a draw's list", async (draw) => {
  const answer = await api.call({ url: `/api/client/draws/${draw}/list` })
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'draw' }] } })
})

const trade = async (token: string) => (await api.trade(token)).body
// spec: exchange-once
test('a gift code is exchanged once by concurrent calls', async () => {
  const { token, codes } = await api.addHolder()
  expect(await trade(token)).toEqual({ status_code: 200, data: [] })
  await api.win(codes[0])
  await api.win(codes[1], { giftcode: null })
  api.setNow('2025-09-09T20:00:00+07:00')
  const answers = await Promise.all(Array.from({ length: 10 }, () => trade(token)))
  const traded = { giftcode: `G-${codes[0]}`, traded_at: '2025-09-09T20:00:00+07:00' }
  expect(answers.flatMap((a) => a.data)).toEqual([traded])
  const { giftcode_trade, code_details } = await api.history(token)
  expect(giftcode_trade).toEqual([traded])
  expect(JSON.stringify(code_details)).toContain(`"delivered_at":"${traded.traded_at}"`)
})

test('an exchange gives no gift code before its draw begins', async () => {
  const { token, codes } = await api.addHolder()
  await api.win(codes[0], { draw: 2 })
  api.setNow('2025-09-19T19:59:59.999+07:00')
  expect((await trade(token)).data).toEqual([])
  api.setNow('2025-09-19T20:00:00+07:00')
  expect((await trade(token)).data).toHaveLength(1)
  // The demo's clock may be set back.
  api.setNow('2025-09-19T19:59:59.999+07:00')
  expect((await api.history(token)).giftcode_trade).toEqual([])
})

// spec: exchange-deadline
test('an exchange is too late a month after its draw', async () => {
  const { token, codes } = await api.addHolder()
  await api.win(codes[0], { draw: 2 })
  api.setNow('2025-10-20T00:00:00+07:00')
  expect((await trade(token)).data).toEqual([])
  api.setNow('2025-10-19T23:59:59+07:00')
  expect((await trade(token)).data).toHaveLength(1)
})

test("an exchange gives only the caller's own gift codes", async () => {
  const [winner, other] = [await api.addHolder(), await api.addSession()]
  await api.win(winner.codes[0])
  expect((await trade(other.token)).data).toEqual([])
  expect((await trade('dead')).status_code).toBe(401)
  expect((await trade(winner.token)).data).toHaveLength(1)
})
