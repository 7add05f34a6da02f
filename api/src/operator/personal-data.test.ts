import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from '@jest/globals'
import { startTestApi } from '../../test/test-api.ts'
import { pseudonymKey } from '../login/credentials.ts'
import { readAudit, recordChange } from './audit.ts'
import { type Correction, close, forget, unlock, voidTicket } from './corrections.ts'
import { type ExportName, writeExport } from './exports.ts'
import { verify } from './verify.ts'

const api = await startTestApi()
afterAll(() => api.close())

describe('personal data', () => {
  const ADDRESS = { fullname: 'Trần Bí Mật', phone_number: '0912000111', address: '12 Phố Kín', note: 'gọi' }
  const correct = (correction: Correction, ...args: string[]) =>
    api.database.transaction((tx) => correction(tx, args, api.now()))
  const exported = async (name: ExportName) => {
    const out = new PassThrough()
    return (await Promise.all([text(out), writeExport(api.database, name, out, true)]))[0]
  }
  /** Whatever the database holds of a person, by any table. */
  const holds = async (what: string) => {
    const tables = await api.sql<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
    )
    const found = []
    for (const { name } of tables) {
      const rows = await api.sql(`SELECT FROM ${name} x WHERE strpos(lower(x::text), lower($1)) > 0`, [what])
      if (rows.length > 0) found.push(name)
    }
    return found.sort()
  }
  const withPersonalData = async (account: string) => {
    const holder = await api.addHolder({ account })
    await api.call({ url: '/api/client/update-info', token: holder.token, payload: ADDRESS })
    const share_links = [1, 2, 3, 4].map((n) => `https://facebook.com/${account}/${n}`)
    await api.claim(holder.token, 'CHIASE', { share_links })
    await api.win(holder.codes[0])
    await api.trade(holder.token)
    await api.login(account, '9999')
    await api.database.transaction(async (tx) => {
      for (const [what, correction, arg] of [
        ['unlock', unlock, account],
        ['void', voidTicket, holder.codes[1]],
      ] as const)
        await recordChange(tx, await (correction as Correction)(tx, [arg], api.now()), { who: 'an', what })
    })
    await api.login(account, '9999')
    return holder
  }

  test('forget: nothing names the member any more; tickets, prizes and audit stay, under a pseudonym', async () => {
    const { token, codes } = await withPersonalData('Minh.Bimat')
    const other = await withPersonalData('other.bimat')
    expect(await holds('minh.bimat')).toEqual(['login_attempt', 'member', 'member_mission', 'rate_limit'])
    const { memberId } = await correct(forget, 'minh.bimat')
    for (const what of ['minh.bimat', token]) expect(await holds(what)).toEqual([])
    expect(await api.sql('SELECT FROM member_address WHERE member_id = $1', [memberId])).toEqual([])
    expect((await api.call({ url: '/api/client/info', token })).status).toBe(401)
    expect((await api.login('Minh.Bimat')).body.data).toEqual({})

    const pseudonym = `forgotten-${memberId}`
    expect((await api.check('code', codes[0])).body.data.valid).toBe(true)
    const changes = (await readAudit(api.database, [pseudonymKey(pseudonym)])).map(
      ({ what, subject }) => `${what} ${subject}`,
    )
    expect(changes).toEqual([`void ${codes[1]}`, `unlock ${pseudonym}`])
    const winners = await exported('winners')
    expect(winners).toContain(`,${codes[0]},${pseudonym},G-${codes[0]},2025-08-20T20:00:00+07:00,,,,\n`)
    expect((await api.call({ url: '/api/client/history', token: other.token })).status).toBe(200)
    expect(winners).toContain(ADDRESS.fullname)
    expect(await verify(api.database, () => undefined)).toBe(true)
  })

  test('close: forgets all, after the last day on which a prize can be claimed', async () => {
    const { codes } = await withPersonalData('last.bimat')
    await api.addMember({ account: 'forgotten-1' })
    const closed = await api.database.transaction((tx) =>
      close(tx, [], new Date('2025-10-30T00:00:00+07:00')),
    )
    expect(closed.detail).toEqual({ members: (await api.sql('SELECT FROM member')).length })
    for (const what of ['bimat', ADDRESS.fullname, ADDRESS.phone_number])
      expect(await holds(what)).toEqual([])
    expect((await api.check('code', codes[0])).body.data.valid).toBe(true)
    expect(await verify(api.database, () => undefined)).toBe(true)
  })
})
