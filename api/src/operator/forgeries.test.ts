import { randomFrom } from '@anniversary/shared/testing/random'
import { beforeAll, expect, test } from '@jest/globals'
import { freezeList } from '../../test/draw-lists.ts'
import { startTestApi } from '../../test/test-api.ts'
import { newTicketCodes } from '../claim/ticket-code.ts'
import { namedStatement, type Queryable } from '../database/database.ts'
import { LIST_INVARIANTS } from '../draws/draw-lists.ts'
import { importDrawResults } from '../draws/import-draw.ts'
import { withoutCommits } from './import-file.ts'
import { banMember } from './member-corrections.ts'
import { verifyInvariants } from './verify.ts'

const FORGERIES = 120
const api = await startTestApi()
let listed: string[] = []
let bannedCodes: string[] = []
let digest = ''

const random = randomFrom(20_250_909)
const pick = (limit: number): number => Math.floor(random() * limit)
const oneOf = (codes: readonly string[]): string => codes[pick(codes.length)] ?? ''
const newCode = () => newTicketCodes(1)[0] ?? ''

beforeAll(async () => {
  const holders = []
  for (let n = 0; n < 12; n++) holders.push(await api.addHolder())
  const cheats = [await api.addHolder(), await api.addHolder()]
  for (const { account } of cheats) await api.correct(banMember, account)
  bannedCodes = cheats.flatMap(({ codes }) => codes)
  listed = holders.flatMap(({ codes }) => codes).sort()
  api.setNow('2025-09-07T00:01:00+07:00')
  digest = String((await freezeList(api, 1)).detail?.sha256)
})

const run = (tx: Queryable, text: string, ...values: unknown[]) =>
  tx.query(namedStatement(text), values)
const isSound = (tx: Queryable) =>
  verifyInvariants(
    { ...api.database, transaction: (work) => work(tx) },
    () => undefined,
    LIST_INVARIANTS,
  )
async function importing(tx: Queryable, code: string) {
  const rules = { listOf: 1, again: false }
  const result = { code, draw: 1, prize: 'Xe máy', giftcode: null }
  return (await importDrawResults(tx, [result], rules)).refused[0]?.reason
}
const REHASH = `UPDATE draw_list l SET count = (SELECT count(*) FROM draw_entry e WHERE e.draw = l.draw), sha256 = (
  SELECT encode(sha256(convert_to(l.head || string_agg(e.code || E'\\n', '' ORDER BY e.position), 'UTF8')), 'hex')
  FROM draw_entry e WHERE e.draw = l.draw)`

/** Each returns whether its forgery was noticed. */
const forgeries: Record<string, (tx: Queryable) => Promise<boolean>> = {
  async 'a code is added'(tx) {
    await run(tx, 'INSERT INTO draw_entry VALUES (1, $1, $2)', listed.length + 1, newCode())
    if (pick(2)) await run(tx, REHASH)
    return !(await isSound(tx))
  },
  async 'a code is dropped'(tx) {
    await run(tx, 'DELETE FROM draw_entry WHERE code = $1', oneOf(listed))
    if (pick(2)) await run(tx, REHASH)
    return !(await isSound(tx))
  },
  async 'a code is swapped'(tx) {
    const other = pick(2) ? newCode() : oneOf(bannedCodes)
    await run(tx, 'UPDATE draw_entry SET code = $2 WHERE code = $1', oneOf(listed), other)
    if (pick(2)) await run(tx, REHASH)
    return !(await isSound(tx))
  },
  async 'a winner is not in the list'(tx) {
    const reason = await importing(tx, oneOf(bannedCodes))
    await run(tx, "INSERT INTO draw_result VALUES ($1, 1, 'Xe máy')", oneOf(bannedCodes))
    return /not in the list of draw 1/.test(reason ?? '') && !(await isSound(tx))
  },
  async 'the digest is changed'(tx) {
    await run(
      tx,
      `UPDATE draw_list SET sha256 = $1`,
      digest.replace(/./, (first) => (first === '0' ? '1' : '0')),
    )
    return !(await isSound(tx))
  },
  async "another event's list is named"(tx) {
    await run(tx, "UPDATE draw_list SET head = replace(head, 'ANNIVERSARY', 'OTHER')")
    return !(await isSound(tx))
  },
  async 'a claim commits after the freeze'(tx) {
    await run(
      tx,
      `INSERT INTO ticket SELECT member_id, stage, 6, mission, $2, claimed_at FROM ticket WHERE code = $1`,
      oneOf(listed),
      newCode(),
    )
    return !(await isSound(tx))
  },
}

test('no seeded forgery of a list or its results passes unnoticed', async () => {
  const kinds = Object.entries(forgeries)
  const unnoticed: string[] = []
  for (let n = 0; n < FORGERIES; n++) {
    const [kind, forge] = kinds[n % kinds.length] ?? []
    if (!kind || !forge) throw new Error('no forgery')
    const isNoticed = await withoutCommits(api.database).transaction(forge)
    if (!isNoticed) unnoticed.push(`${n}: ${kind}`)
  }
  expect(unnoticed).toEqual([])
  expect(await api.isSound()).toBe(true)
})

test('of two freezes at once one writes the list, and a claim in progress is in it', async () => {
  const holder = await api.addHolder()
  api.setNow('2025-09-19T00:01:00+07:00')
  await api.win(listed[0] ?? '')
  const code = newCode()
  const waiting = await api.database.transaction(async (tx) => {
    await run(
      tx,
      `INSERT INTO ticket SELECT member_id, stage, 5, mission, $2, claimed_at FROM ticket WHERE code = $1`,
      holder.codes[0],
      code,
    )
    const both = [freezeList(api, 2), freezeList(api, 2)].map((freeze) =>
      freeze.then(
        () => 'frozen',
        () => 'refused',
      ),
    )
    await api.untilLocked(2)
    return { both }
  })
  expect((await Promise.all(waiting.both)).sort()).toEqual(['frozen', 'refused'])
  const [entry] = await api.sql('SELECT FROM draw_entry WHERE draw = 2 AND code = $1', [code])
  expect(entry).toBeDefined()
})
