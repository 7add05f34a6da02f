import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { LINKS, startTestApi } from '../../test/test-api.ts'
import { type ExportName, writeCsvExport } from './exports.ts'
import { banMember } from './member-corrections.ts'
import { memberReport } from './member-report.ts'
import { keepTickets, undoCompletion, voidTicket } from './ticket-corrections.ts'
import { countContent } from './verify.ts'

const api = await startTestApi()

describe('an export', () => {
  /** An honest member, one with a void ticket, and a banned one. */
  const codes: Record<string, string> = {}
  const AT = '2025-08-20T20:00:00+07:00'
  const TRADED = '2025-09-09T20:00:00+07:00'

  const exported = async (name: ExportName, addresses = false, separator = ',') => {
    const out = new PassThrough()
    const [count, bytes] = await Promise.all([
      writeCsvExport(api.database, name, out, { addresses, separator }),
      buffer(out),
    ])
    const csv = bytes.toString()
    expect(csv.charCodeAt(0)).toBe(0xfeff)
    const lines = csv.slice(1, -1).split('\n')
    expect(lines).toHaveLength(count + 1)
    return lines
  }
  const share = async (token: string, pages: string, more = '') => {
    const share_links = [...pages].map((page) => `https://m.facebook.com/${page}/${more}`)
    return (await api.claim(token, 'CHIASE', { share_links })).body.data[0]
  }

  beforeAll(async () => {
    for (const [account, pages] of Object.entries({
      '=honest': '1234',
      voided: '5678',
      banned: '90ab',
    })) {
      const holder = await api.addHolder({ account })
      const { token } = holder
      const [code] = holder.codes
      await share(token, pages)
      await api.win(code, { giftcode: `G-${account}` })
      await api.trade(token)
      await api.call({
        url: '/api/client/update-info',
        token,
        payload: {
          fullname: '=cmd()',
          phone_number: '0900',
          address: 'số 1, "Lê Lợi"',
          note: 'a;=1 "b"\t+2;"-3;＝4,=5',
        },
      })
      codes[account] = code
    }
    await api.correct(voidTicket, codes.voided ?? '')
    await api.correct(banMember, 'banned')
  })

  test('columns can be separated by semicolons', async () => {
    const [header] = await exported('tickets', false, ';')
    expect(header).toBe('code;stage;mission;claimed_at;username')
  })

  test('the tickets export is safe in a spreadsheet', async () => {
    const lines = await exported('tickets')
    expect(lines[0]).toBe('code,stage,mission,claimed_at,username')
    expect(lines[1]).toBe(`${codes['=honest']},1,Tổng nạp 300 điểm,${AT},'=honest`)
    expect(lines.filter((line) => line.endsWith('voided'))).toHaveLength(2)
    expect(lines.filter((line) => line.endsWith('banned'))).toEqual([])
    expect(lines.join()).not.toContain('Lê Lợi')
    expect((await exported('tickets', true))[1]).toBe(
      `${lines[1]},'=cmd(),'0900,"số 1, ""Lê Lợi""","a;'=1 ""b""\t'+2;'""-3;'＝4,'=5"`,
    )
  })

  // Exchanges of members who were banned later stay in the list.
  // spec: banned-get-no-prize
  test.each<[ExportName, header: string, count: number, line: () => string]>([
    [
      'winners',
      'draw,prize,code,username,giftcode,exchanged_at,delivery',
      1,
      () => `1,999K,${codes['=honest']},'=honest,G-=honest,${TRADED},`,
    ],
    [
      'exchanges',
      'traded_at,giftcode,draw,prize,code,username',
      3,
      () => `${TRADED},G-banned,1,999K,${codes.banned},banned`,
    ],
    [
      'shares',
      'username,stage,claimed_at,link',
      12,
      () => `voided,1,${AT},https://m.facebook.com/8/`,
    ],
  ])('the export of %s has its columns and lines', async (name, header, count, line) => {
    const [first, ...lines] = await exported(name)
    expect([first, lines.length]).toEqual([header, count])
    expect(lines).toContain(line())
  })

  test('the review export has reversals and reused links', async () => {
    const [deposit] = await api.sql<{ ref: string }>(
      "SELECT ref FROM activity JOIN member m ON m.id = member_id WHERE m.account = '=honest' AND kind = 'deposit'",
    )
    await api.reverse('=honest', [deposit?.ref ?? ''])
    const [sharer, copier] = [
      await api.addSession({ account: 'sharer' }),
      await api.addSession({ account: 'copier' }),
    ]
    const sharers = await share(sharer.token, 'cdef')
    const copiers = await share(copier.token, 'efgh', '?fbclid=1')
    const why = 'links of others: facebook.com/e facebook.com/f'
    expect(await exported('review')).toEqual([
      'username,stage,mission,claimed_at,codes,why',
      `'=honest,1,NAP_300,${AT},${codes['=honest']},reversal or undo-completion`,
      `copier,1,CHIASE,${AT},${copiers},${why}`,
      `sharer,1,CHIASE,${AT},${sharers},${why}`,
    ])
  })

  test('a keep decides about a review until the next reversal', async () => {
    const account = '=honest'
    const row = expect.stringMatching(/^'=honest,1,NAP_300/)
    const keep = () => api.correct(keepTickets, account, 'NAP_300', '1')
    const reviews = async () => (await countContent(api.database))?.review
    expect(await reviews()).toBe(3)
    expect(await api.needsReview(account)).toBe(true)
    await keep()
    expect(await exported('review')).not.toContainEqual(row)
    expect(await reviews()).toBe(2)
    expect(await api.needsReview(account)).toBe(false)
    await expect(keep()).rejects.toThrow(
      '"export review" has no NAP_300 of =honest in stage 1 to decide about',
    )

    const reverse = async (kind: 'bet' | 'deposit', day: string) =>
      api.reverse(account, await api.act(account, [day, kind, 300]))
    // Of a kind or a stage that the mission does not count.
    await reverse('bet', '2025-08-20')
    await reverse('deposit', '2025-09-10')
    expect(await exported('review')).not.toContainEqual(row)
    await reverse('deposit', '2025-08-20')
    expect(await exported('review')).toContainEqual(row)
    await api.correct(voidTicket, codes[account] ?? '')
    expect(await reviews()).toBe(2)
  })

  test("members' texts hold no command for a terminal", async () => {
    const { account, token } = await api.addSession()
    await share(token, 'ghij', ' \u009b2J')
    const address = { fullname: 'An', phone_number: '0900', address: '1 Lê Lợi' }
    const payload = { ...address, note: '\u001b[2J' }
    await api.call({ url: '/api/client/update-info', token, payload })
    const lines = [
      ...(await exported('shares', true)),
      ...(await memberReport(api.database, account)),
    ]
    const text = lines.join('\n')
    expect(text).toMatch(/\uFFFD2J,.*\uFFFD\[2J\n/)
    expect(text).not.toMatch(/(?![\t\n])\p{Cc}/u)
  })

  test('the audit export has every change', async () => {
    const lines = await exported('audit')
    expect(lines[0]).toBe('at,who,what,subject,why,detail')
    expect(lines[1]).toMatch(/,an,void,\w{4}-\w{4}-\w{4},two accounts,"\{""draw"":1,/)
    expect(lines[2]).toMatch(/,an,ban,banned,two accounts,"\{""won"":\[\{""code"":/)
  })
})

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
    await api.claim(token, 'NAP_STREAK', {
      startTimeStreak: '2025-08-10',
      endTimeStreak: '2025-08-14',
    })
    for (let i = 0; i < 6; i++) await api.login(account, '0000')
    await api.correct(banMember, account)
    await api.complete(account, 'NAP_15000')
    await api.correct(undoCompletion, account, 'NAP_15000', '1')
    lines = (await memberReport(api.database, ' asked01')).join('\n')
  })

  test.each([
    ['the member', /^Asked01, member since .*; address not needed\nBANNED since /],
    [
      'a ticket',
      /stage 1:\n {2}NAP_300 {4}300.5 of 300 {2}claimed 2025-08-20T20:00:00\+07:00: \w{4}-\w{4}-\w{4}\n/,
    ],
    ['progress', 'CUOC_5000  1,200 of 5,000  not reached'],
    ['a count of deposits', 'NAP_10LAN  2 of 10  not reached'],
    ['the days of a streak', 'NAP_STREAK 2 of 5  not reached'],
    [
      'a proof',
      /CHIASE {5}claimed .*; proof \{"share_links":\["https:\/\/www.facebook.com\/posts\/1"/,
    ],
    [
      'what an operator took back',
      'NAP_15000  300.5 of 15,000  taken back by an operator or a reversal: see the changes below',
    ],
    ['a stage without anything', 'stage 2: nothing\nstage 3: nothing\n'],
    ['refused claims', 'stage 1  CUOC_5000: not-reached, 2 times, last 2025-08-20T20:00:00+07:00'],
    ['why a streak was refused', 'stage 1  NAP_STREAK: no-streak, 1 time, last'],
    ['sessions', 'no session'],
    ['the login lock', /6 on unknown devices, LOCKED until 20/],
    ['changes and why', /an {2}ban Asked01: two accounts {2}{"won":\[\]}$/],
  ])('show prints %s', (_fact, text) => {
    if (typeof text === 'string') expect(lines).toContain(text)
    else expect(lines).toMatch(text)
  })
})
