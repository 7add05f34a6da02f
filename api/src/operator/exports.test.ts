import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startTestApi } from '../../test/test-api.ts'
import { recordChange } from './audit.ts'
import { ban, voidTicket } from './corrections.ts'
import { type ExportName, writeExport } from './exports.ts'

const api = await startTestApi()
afterAll(() => api.close())

describe('an export', () => {
  /** By account: one whom nothing is wrong with, one whose ticket is void, one who is banned. */
  const codes: Record<string, string> = {}
  const AT = '2025-08-20T20:00:00+07:00'

  const exported = async (name: ExportName, addresses = false) => {
    const out = new PassThrough()
    const [count, bytes] = await Promise.all([writeExport(api.database, name, out, addresses), buffer(out)])
    const csv = bytes.toString()
    expect(csv.charCodeAt(0)).toBe(0xfeff)
    const lines = csv.slice(1, -1).split('\n')
    expect(lines).toHaveLength(count + 1)
    return lines
  }

  beforeAll(async () => {
    for (const account of ['=honest', 'voided', 'banned']) {
      const { token } = await api.addSession({ account })
      await api.act(account, ['2025-08-11', 'deposit', 300])
      const [ticketCode = ''] = (await api.claim(token, 'NAP_300')).body.data as string[]
      const links = [1, 2, 3, 4].map((n) => `https://facebook.com/${account}/${n}`)
      await api.claim(token, 'CHIASE', { share_links: links })
      await api.win(ticketCode, { giftcode: `G-${account}` })
      await api.trade(token)
      await api.call({
        url: '/api/client/update-info',
        token,
        payload: {
          fullname: '=cmd()',
          phone_number: '0900',
          address: 'số 1, "Lê Lợi"',
          note: 'a;=1 "b"\t+2;"-3;＝4',
        },
      })
      codes[account] = ticketCode
    }
    await api.database.transaction(async (tx) => {
      const by = { who: 'an', why: 'two accounts' }
      await recordChange(tx, await voidTicket(tx, [codes.voided ?? '']), { ...by, what: 'void' })
      await recordChange(tx, await ban(tx, ['banned']), { ...by, what: 'ban' })
    })
  })

  // spec: banned-get-no-prize
  test('of tickets has those that take part, as a spreadsheet may open them; addresses only when asked', async () => {
    const lines = await exported('tickets')
    expect(lines[0]).toBe('code,stage,mission,claimed_at,username')
    expect(lines[1]).toBe(`${codes['=honest']},1,Tổng nạp 300 điểm,${AT},'=honest`)
    expect(lines.filter((line) => line.endsWith('voided'))).toHaveLength(1)
    expect(lines.filter((line) => line.endsWith('banned'))).toEqual([])
    expect(lines.join()).not.toContain('Lê Lợi')
    expect((await exported('tickets', true))[1]).toBe(
      `${lines[1]},'=cmd(),0900,"số 1, ""Lê Lợi""","a;'=1 ""b""\t'+2;'""-3;'＝4"`,
    )
  })

  // Void tickets and banned members win nothing; what was exchanged stays.
  test.each<[ExportName, header: string, count: number, line: () => string]>([
    [
      'winners',
      'draw,prize,code,username,giftcode,exchanged_at',
      1,
      () => `1,999K,${codes['=honest']},'=honest,G-=honest,${AT}`,
    ],
    [
      'exchanges',
      'traded_at,giftcode,draw,prize,code,username',
      3,
      () => `${AT},G-banned,1,999K,${codes.banned},banned`,
    ],
    ['shares', 'username,stage,claimed_at,link', 12, () => `voided,1,${AT},https://facebook.com/voided/4`],
  ])('of %s', async (name, header, count, line) => {
    const [first, ...lines] = await exported(name)
    expect([first, lines.length]).toEqual([header, count])
    expect(lines).toContain(line())
  })

  test('of what waits for review: a reversal, and links that two members sent, each in a form of its own', async () => {
    const reversal = { source: 'test', kind: 'reversal', occurred_at: AT } as const
    const [deposit] = await api.sql<{ ref: string }>(
      "SELECT ref FROM activity JOIN member m ON m.id = member_id WHERE m.account = '=honest'",
    )
    await api.send([{ ...reversal, ref: 'back', username: '=honest', reverses: deposit?.ref ?? '' }])
    const share = async (account: string, names: readonly string[], more = '') => {
      const share_links = names.map((name) => `https://m.facebook.com/groups/${name}/${more}`)
      const { token } = await api.addSession({ account })
      return (await api.claim(token, 'CHIASE', { share_links })).body.data[0]
    }
    const sharers = await share('sharer', ['a', 'b', 'c', 'd'])
    const copiers = await share('copier', ['c', 'd', 'e', 'f'], '?fbclid=1')
    const why = 'links of others: facebook.com/groups/c facebook.com/groups/d'
    expect(await exported('review')).toEqual([
      'username,stage,mission,claimed_at,codes,why',
      `'=honest,1,NAP_300,${AT},${codes['=honest']},reversal`,
      `copier,1,CHIASE,${AT},${copiers},${why}`,
      `sharer,1,CHIASE,${AT},${sharers},${why}`,
    ])
  })

  test('of the audit has every change', async () => {
    const lines = await exported('audit')
    expect(lines[0]).toBe('at,who,what,subject,why,detail')
    expect(lines[1]).toMatch(/,an,void,\w{4}-\w{4}-\w{4},two accounts,"\{""draw"":1,/)
    expect(lines[2]).toMatch(/,an,ban,banned,two accounts,\{\}$/)
  })
})
