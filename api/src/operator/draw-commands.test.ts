import { hash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { freezeList } from '../../test/draw-lists.ts'
import { startTestApi } from '../../test/test-api.ts'
import { namedStatement } from '../database/database.ts'
import { listOfDigest } from '../draws/draw-lists.ts'
import { importDrawResults } from '../draws/import-draw.ts'
import { freezeDrawList } from './draw-commands.ts'
import { withoutCommits } from './import-file.ts'
import { banMember, unbanMember } from './member-corrections.ts'
import { keepTickets, undoDrawResult, unvoidTicket, voidTicket } from './ticket-corrections.ts'

const api = await startTestApi()
const AFTER_STAGE_1 = '2025-09-07T00:01:00+07:00'

const draws = async () => (await api.draws()).frozen
const fileOf = (draw: number) => api.call({ url: `/api/client/draws/${draw}/list` })
const positions = async (token: string) =>
  (await api.history(token)).code_details.flatMap((entry: { lists: object[] }) => entry.lists)
const importing = (draw: number, code: string, prize = 'Xe máy') =>
  api.database.transaction(async (tx) => {
    const rules = { listOf: draw, again: false }
    const results = [{ code, draw, prize, giftcode: null }]
    const { refused } = await importDrawResults(tx, results, rules)
    return refused[0]?.reason
  })
const BEFORE_DRAW_2 = '2025-09-19T19:58:59+07:00'
const TOO_LATE = '2025-09-19T19:59:00+07:00'
const putIntoReview = (account: string) =>
  api.sql(
    `UPDATE member_mission SET needs_review = true FROM member m
     WHERE m.id = member_id AND m.account = $1 AND mission = 'NAP_300'`,
    [account],
  )
function refreeze() {
  api.setNow(BEFORE_DRAW_2)
  return freezeList(api, 2, true)
}

test('a frozen list holds the valid tickets, is public, and decides who can win', async () => {
  const holders = [await api.addHolder(), await api.addHolder(), await api.addHolder()]
  const [honest, cheat, late] = holders as [
    (typeof holders)[0],
    (typeof holders)[0],
    (typeof holders)[0],
  ]
  await api.correct(voidTicket, honest.codes[1])
  await api.correct(banMember, cheat.account)

  await expect(freezeList(api, 1)).rejects.toThrow(
    'tickets of stage 1 can still be claimed; freeze it from 2025-09-07T00:01:00+07:00 on',
  )
  api.setNow('2025-09-09T20:00:00+07:00')
  await expect(freezeList(api, 1)).rejects.toThrow(
    /^draw 1 could be frozen until 2025-09-09T19:59:00.* --without-list REASON$/,
  )
  api.setNow(AFTER_STAGE_1)
  const { detail } = await freezeList(api, 1)
  expect(detail).toMatchObject({ count: 3, excluded: { void: 1, banned: 2 } })
  await expect(freezeList(api, 1)).rejects.toThrow(
    /^the list of draw 1 is frozen since .*--again with/,
  )

  // Everybody sees digest and count at once; the file comes with the draw.
  const [list] = await draws()
  expect(list).toEqual({
    draw: 1,
    count: 3,
    sha256: detail?.sha256,
    frozen_at: '2025-09-07T00:01:00+07:00',
  })
  const codes = [honest.codes[0], ...late.codes].sort()
  const own = { code: honest.codes[0], draw: 1, position: codes.indexOf(honest.codes[0]) + 1 }
  expect(await positions(honest.token)).toEqual([own])
  expect((await api.check('code', own.code)).body.data).toMatchObject({
    lists: [{ draw: 1, position: own.position }],
  })
  expect((await fileOf(1)).status).toBe(404)
  await expect(listOfDigest(api.database, '0'.repeat(12))).rejects.toThrow(/^no frozen list has/)
  api.setNow('2025-09-09T20:00:00+07:00')
  const { body, headers } = await fileOf(1)
  expect(headers['cache-control']).toBe('public, max-age=3600')
  expect(body).toBe(
    [
      'event: ANNIVERSARY',
      'draw: 1',
      'stages: 1',
      'count: 3',
      `frozen: ${list.frozen_at}`,
      ...codes,
      '',
    ].join('\n'),
  )
  expect(hash('sha256', body)).toBe(list.sha256)

  expect(await importing(1, honest.codes[1])).toBe(
    'code: is not in the list of draw 1, which left it out: void',
  )
  expect(await importing(2, own.code)).toMatch('draw 2')
  await api.correct(banMember, late.account)
  expect(await importing(1, late.codes[0], 'Điện thoại')).toMatch(
    /^code: number \d of the list, but its member is banned since 20.*; draw Điện thoại again$/,
  )
  expect(await importing(1, own.code)).toBeUndefined()
  expect(await api.isSound()).toBe(true)
})

const REHASH = `UPDATE draw_list l SET count = (SELECT count(*) FROM draw_entry e WHERE e.draw = l.draw), sha256 = (
  SELECT encode(sha256(convert_to(l.head || string_agg(e.code || E'\\n', '' ORDER BY e.position), 'UTF8')), 'hex')
  FROM draw_entry e WHERE e.draw = l.draw)`
const RENAME = "UPDATE draw_list SET head = replace(head, 'ANNIVERSARY', 'OTHER')"
const LISTED =
  '(SELECT min(code) FROM draw_entry WHERE code NOT IN (SELECT ticket_code FROM draw_result))'
const EXCLUDED = '(SELECT min(code) FROM draw_exclusion)'

// Each forgery is rolled back.
test.each([
  ['a changed digest', 'is the file', "UPDATE draw_list SET sha256 = repeat('0', 64)"],
  ["another event's name", 'is the file', RENAME],
  ["another event's name and its digest", 'is the file', RENAME, REHASH],
  ['a dropped code', 'is the file', `DELETE FROM draw_entry WHERE code = ${LISTED}`],
  [
    'a swapped code and its digest',
    'is the file',
    `UPDATE draw_entry SET code = ${EXCLUDED} WHERE code = ${LISTED}`,
    REHASH,
  ],
  [
    'a claim after the freeze',
    'every ticket',
    `INSERT INTO ticket SELECT member_id, stage, 6, mission, 'A', claimed_at FROM ticket WHERE code = ${LISTED}`,
  ],
  [
    'a winner who is not in it',
    'every winner',
    `INSERT INTO draw_result VALUES (${EXCLUDED}, 1, 'Xe máy')`,
  ],
])('verify finds in a frozen list, behind other faults, %s', async (_, invariant, ...forgery) => {
  expect(await api.brokenBy('DELETE FROM stage_tickets', ...forgery)).toEqual([
    expect.stringContaining(invariant),
  ])
})

test('of two freezes at once one writes the list, and a claim in progress is in it', async () => {
  api.setNow('2025-09-19T00:01:00+07:00')
  const ticket = `INSERT INTO ticket SELECT member_id, stage, 5, mission, 'A51C-20Q0-17C0', claimed_at
    FROM ticket WHERE voided_at IS NOT NULL`
  const freeze = () =>
    freezeList(api, 2).then(
      () => 'written',
      () => 'refused',
    )
  const ends = await api.during(
    (tx) => tx.query(namedStatement(ticket)),
    () => [freeze(), freeze()],
  )
  expect(ends.sort()).toEqual(['refused', 'written'])
  expect(
    await api.sql("SELECT FROM draw_entry WHERE draw = 2 AND code = 'A51C-20Q0-17C0'"),
  ).toHaveLength(1)
})

test('a winner is left out of the next list, and no late winner enters an earlier draw', async () => {
  const { codes } = await api.addHolder()
  api.setNow('2025-09-19T00:01:00+07:00')
  const { detail } = await freezeList(api, 2, true)
  expect(detail?.excluded).toMatchObject({ 'won in draw 1': 1 })
  const [list] = (await draws()).slice(-1)
  expect(list.draw).toBe(2)
  expect(await importing(1, codes[0])).toMatch('is not in the list of draw 1')
})

test('a draw is not frozen before earlier ones have results, nor before a review', async () => {
  api.setNow('2025-09-29T00:01:00+07:00')
  await expect(freezeList(api, 3)).rejects.toThrow(/^draw 2 has no results yet, and/)
  await api.sql("UPDATE member_mission SET needs_review = true WHERE mission = 'NAP_300'")
  await expect(freezeList(api, 3)).rejects.toThrow(
    /^2 claimed missions wait for a decision: "export review"/,
  )
  const waiting = await api.sql<{ account: string }>(
    "SELECT account FROM valid_ticket JOIN member m ON m.id = member_id WHERE mission = 'NAP_300'",
  )
  for (const { account } of waiting) await api.correct(keepTickets, account, 'NAP_300', '1')
  await withoutCommits(api.database).transaction(async (tx) => {
    const freeze = { site: 'X', draw: 3, again: false, now: api.now }
    const cancelled = { ...freeze, withoutResults: 'no livestream' }
    const { detail } = await freezeDrawList(tx, cancelled)
    expect(detail).toMatchObject({
      excluded: { 'won in draw 1': 1 },
      withoutResults: { draws: [2], why: 'no livestream' },
    })
    await tx.query(namedStatement('DELETE FROM draw_result'))
    await expect(freezeDrawList(tx, { ...freeze, again: true })).rejects.toThrow(
      /^draw 1 has no results yet, draw 2 has no results yet, and/,
    )
  })
})

test('what changes whether a ticket is valid says which coming list is outdated', async () => {
  const [holder, cheat] = [await api.addHolder(), await api.addHolder()]
  await api.win(holder.codes[0])
  await api.win(cheat.codes[0])
  for (const code of [holder.codes[1], cheat.codes[1]]) await api.correct(voidTicket, code)
  await api.correct(banMember, cheat.account)
  await refreeze()

  const note = 'left out of list 2: draw freeze 2 --again --reason TEXT'
  const undone = await api.correct(undoDrawResult, holder.codes[0])
  expect(undone.detail).toMatchObject({ draw: 1, note })
  const none = { draw: null, prize: null }
  expect((await api.correct(unvoidTicket, holder.codes[1])).detail).toEqual({ ...none, note })
  // Its member is still banned.
  expect((await api.correct(unvoidTicket, cheat.codes[1])).detail).toEqual(none)
  const won = [{ code: cheat.codes[0], draw: 1, prize: '999K' }]
  expect((await api.correct(unbanMember, cheat.account)).detail).toEqual({ won, note })

  await refreeze()
  const stale = { note: note.replace('left out of', 'still in') }
  expect((await api.correct(voidTicket, holder.codes[1])).detail).toMatchObject(stale)
  expect((await api.correct(banMember, cheat.account)).detail).toEqual({ won, ...stale })
  expect((await api.correct(unvoidTicket, holder.codes[1])).detail).toEqual(none)

  api.setNow(TOO_LATE)
  expect((await api.correct(voidTicket, holder.codes[1])).detail?.note).toBeUndefined()
  expect((await api.correct(unvoidTicket, holder.codes[1])).detail).toEqual(none)
})

test('a winner that a reversal after the freeze puts into the review is decided first', async () => {
  const { account, codes } = await api.addHolder()
  await refreeze()
  await putIntoReview(account)
  expect(await importing(2, codes[0])).toBe(
    'code: waits for a decision, see "export review": "keep" it, or "void" it and draw Xe máy again',
  )
  await api.correct(keepTickets, account, 'NAP_300', '1')
  expect(await importing(2, codes[0])).toBeUndefined()
  await api.correct(undoDrawResult, codes[0])
})

test('an unvoid during a freeze says that its list leaves the ticket out', async () => {
  const { codes } = await api.addHolder()
  await api.correct(voidTicket, codes[0])
  api.setNow(BEFORE_DRAW_2)
  const [valid] = await api.during(
    (tx) => freezeDrawList(tx, { site: api.config.site, draw: 2, again: true, now: api.now }),
    () => [api.correct(unvoidTicket, codes[0])],
  )
  const note = 'left out of list 2: draw freeze 2 --again --reason TEXT'
  expect(valid?.detail).toMatchObject({ note })
})

test('a list is frozen again whole, or stays as it is', async () => {
  const { account, codes } = await api.addHolder()
  const digest = async () => (await draws())[1].sha256
  const before = await digest()
  await putIntoReview(account)
  await expect(refreeze()).rejects.toThrow(/^1 claimed missions wait for a decision/)
  expect(await digest()).toBe(before)
  await api.correct(voidTicket, codes[0])
  const { detail } = await refreeze()
  expect(detail).toMatchObject({ excluded: { void: 2 }, replaces: before })
  expect(await digest()).toBe(detail?.sha256)
})

test('a public list is not replaced by a freeze that waited or took too long', async () => {
  const before = await draws()
  const late = /^draw 2 could be frozen until 2025-09-19T19:59:00\+07:00: its list stays as it is$/
  api.setNow(BEFORE_DRAW_2)
  const [waiting] = await api.holding('LOCK TABLE draw_result', async () => {
    const waiting = freezeList(api, 2, true).catch(String)
    await api.untilLocked(1)
    api.setNow(TOO_LATE)
    return [waiting]
  })
  expect(String(await waiting).replace('Error: ', '')).toMatch(late)

  const times = [BEFORE_DRAW_2, TOO_LATE]
  const now = () => new Date(times.shift() ?? '')
  await expect(freezeList({ ...api, now }, 2, true)).rejects.toThrow(late)
  expect(await draws()).toEqual(before)
})
