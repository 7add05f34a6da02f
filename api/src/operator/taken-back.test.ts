import { expect, test } from '@jest/globals'
import { startTestApi } from '../../test/test-api.ts'
import { importDrawResults } from '../draws/import-draw.ts'
import { newMember } from '../login/members.ts'
import { IS_UNDECIDED, NEEDS_REVIEW } from '../missions/rules.ts'
import type { Correction } from './apply-correction.ts'
import { memberImporter } from './importers.ts'
import {
  banMember,
  closeEvent,
  forgetMember,
  logOutMember,
  unbanMember,
  unlockMember,
} from './member-corrections.ts'
import {
  allowCompletion,
  deliverPrize,
  keepTickets,
  undeliverPrize,
  undoCompletion,
  undoDrawResult,
  unvoidTicket,
  voidTicket,
} from './ticket-corrections.ts'

const api = await startTestApi()

const stateOf = (account: string) =>
  api.sql(
    `SELECT m.banned_at IS NULL AS free, mm.stage, mm.mission, mm.tickets, mm.reached_by, mm.reached_at, mm.claimed_at,
       ${NEEDS_REVIEW} AND ${IS_UNDECIDED} AS is_undecided, t.code, t.voided_at, d.draw, d.prize, d.giftcode, v.delivered_at
     FROM member m LEFT JOIN member_mission mm ON mm.member_id = m.id
     LEFT JOIN ticket t USING (member_id, stage, mission) LEFT JOIN draw_result d ON d.ticket_code = t.code
     LEFT JOIN delivery v ON v.ticket_code = t.code
     WHERE m.account = $1 ORDER BY mm.mission, t.slot`,
    [account],
  )

const importMember = (account: string, again = false) =>
  api.database.transaction((tx) =>
    memberImporter(api, { again }).store(tx, [newMember(api.loginKeys, account, '1234')]),
  )

async function newCase() {
  const { account, token, codes } = await api.addHolder()
  const complete = () => api.complete(account, 'NAP_10LAN')
  const results = [{ code: codes[0], draw: 1, prize: 'Xe máy', giftcode: null }]
  const importDraw = (again = false) =>
    api.database.transaction((tx) => importDrawResults(tx, results, { listOf: null, again }))
  expect(await complete()).toMatchObject({ accepted: 1 })
  expect(await importDraw()).toMatchObject({ accepted: 1 })
  const event = {
    source: 'case',
    ref: account,
    username: account,
    kind: 'deposit',
    amount: 100,
    occurred_at: '2025-08-12T08:00:00+07:00',
  } as const
  await api.send([event])
  const repeats: Record<string, () => Promise<unknown>> = {
    'an import of members': () => importMember(account),
    'a batch of activity': () => api.send([event]),
    'a batch of completions': complete,
    'an import of a draw': () => importDraw(),
    'a claim': () => api.claim(token, 'NAP_300'),
  }
  return { account, token, codes, complete, importDraw, repeats }
}
type Case = Awaited<ReturnType<typeof newCase>>

async function repeatAll({ account, repeats }: Case) {
  const corrected = await stateOf(account)
  for (const [way, repeat] of Object.entries(repeats)) {
    await repeat()
    expect([way, await stateOf(account)]).toEqual([way, corrected])
  }
}

type Step = [Correction, ...string[]]
test.each<[name: string, (it: Case) => Step[] | Promise<Step[]>]>([
  ['ban', ({ account }) => [[banMember, account]]],
  [
    'unban',
    ({ account }) => [
      [banMember, account],
      [unbanMember, account],
    ],
  ],
  ['void', ({ codes }) => [[voidTicket, codes[0]]]],
  [
    'unvoid',
    ({ codes }) => [
      [voidTicket, codes[0]],
      [unvoidTicket, codes[0]],
    ],
  ],
  ['undo-draw', ({ codes }) => [[undoDrawResult, codes[0]]]],
  ['undo-completion', ({ account }) => [[undoCompletion, account, 'NAP_10LAN', '1']]],
  [
    'allow-completion',
    async ({ account, complete }) => {
      for (const correction of [undoCompletion, allowCompletion])
        await api.correct(correction, account, 'NAP_10LAN', '1')
      expect(await complete()).toMatchObject({ accepted: 1 })
      return []
    },
  ],
  [
    'keep',
    async ({ account, token }) => {
      await api.claim(token, 'NAP_10LAN')
      return [
        [undoCompletion, account, 'NAP_10LAN', '1'],
        [keepTickets, account, 'NAP_10LAN', '1'],
      ]
    },
  ],
  ['deliver', ({ codes }) => [[deliverPrize, codes[0]]]],
  [
    'undeliver',
    ({ codes }) => [
      [deliverPrize, codes[0]],
      [undeliverPrize, codes[0]],
    ],
  ],
  ['logout', ({ account }) => [[logOutMember, account]]],
  ['unlock', ({ account }) => [[unlockMember, account]]],
  ['forget', ({ account }) => [[forgetMember, account]]],
])('no repeated import, batch or claim undoes %s', async (_name, correctionsOf) => {
  const it = await newCase()
  for (const [correction, ...args] of await correctionsOf(it))
    await api.correct(correction, ...args)
  await repeatAll(it)
})

test('the repeated line says who took it back and when, until an operator allows it', async () => {
  const { account, codes, complete, importDraw } = await newCase()
  await api.correct(undoCompletion, account, 'NAP_10LAN', '1')
  const note = expect.stringMatching(/^taken back by an at 20\d\d-/)
  expect(await complete()).toMatchObject({ refused: [{ index: 0, reason: 'taken-back', note }] })
  await api.correct(allowCompletion, account, 'NAP_10LAN', '1')
  expect(await complete()).toMatchObject({ accepted: 1 })

  await api.correct(undoDrawResult, codes[0])
  expect((await importDraw()).refused[0]?.reason).toMatch(/taken back by an at 20.*--again/)
  expect(await importDraw(true)).toMatchObject({ accepted: 1 })

  const reasonOfRepeat = async () => (await importDraw(true)).refused[0]?.reason
  await api.correct(banMember, account)
  expect(await reasonOfRepeat()).toMatch(/banned since 20\S* by an; "event unban" first$/)
  await api.correct(voidTicket, codes[0])
  expect(await reasonOfRepeat()).toMatch(/void since 20\S* by an; "event unvoid" first$/)
})

test('an import refuses forgotten accounts, unless an operator wants them again', async () => {
  const { account } = await newCase()
  await api.correct(forgetMember, account)
  const reason = expect.stringMatching(/^was forgotten at 20\S* by an; --again/)
  const refused = [{ index: 0, reason }]
  expect(await importMember(account)).toEqual({ accepted: 0, repeated: 0, refused })
  expect(await importMember(account, true)).toMatchObject({ accepted: 1, refused: [] })
  expect(await importMember(account)).toMatchObject({ repeated: 1, refused: [] })

  const other = await newCase()
  api.setNow('2026-01-01T00:00:00+07:00')
  await api.correct(closeEvent)
  await repeatAll(other)
  expect((await importMember('new-after-all')).refused[0]?.reason).toMatch(
    /^was forgotten when an closed the event at 20\d\d-.*--again/,
  )
})

test('an import that waits for forget refuses the account', async () => {
  const account = await api.addMember()
  const [imported] = await api.during(
    (tx) => forgetMember(tx, [account], api.now(), async () => api.loginKeys, 'an'),
    () => [importMember(account)],
  )
  expect(imported).toMatchObject({ accepted: 0, refused: [{ index: 0 }] })
})
