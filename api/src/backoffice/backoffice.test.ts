import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { LINKS, SERVICE_KEY, startTestApi } from '../../test/test-api.ts'
import { claimMission } from '../claim/claim.ts'
import { sessionKey } from '../login/session.ts'
import { syncMissions } from '../missions/mission-list.ts'
import { countContent } from '../operator/verify.ts'
import { recountStaleDays } from './deposit-days.ts'

const api = await startTestApi({
  env: { BACKOFFICE_KEY: `${SERVICE_KEY},the-next-key-of-the-tests` },
})

let serial = 0
const post = (path: string, payload: unknown, key = SERVICE_KEY) =>
  api.call({ url: `/api/users/${path}`, payload, key })
const send = async (...events: object[]) => (await post('activity', { events })).body.data
const event = (username: string, more: object = {}) => ({
  source: 'cashier',
  ref: `r${++serial}`,
  username,
  kind: 'deposit',
  amount: 100,
  occurred_at: '2025-08-11T09:30:00+07:00',
  ...more,
})
const reversal = (username: string, reverses: string | undefined) =>
  event(username, { kind: 'reversal', amount: undefined, reverses })
const accepted = { accepted: 1, repeated: 0, refused: [] }
const refused = (...reasons: string[]) => ({
  accepted: 0,
  repeated: 0,
  refused: reasons.map((reason, index) => ({ index, reason })),
})

test('two service keys are valid, in either header', async () => {
  const events = { events: [event('nobody')] }
  expect((await post('activity', events, 'the-next-key-of-the-tests')).status).toBe(200)
  const headers = { 'x-service-key': SERVICE_KEY }
  expect((await api.call({ url: '/api/users/activity', payload: events, headers })).status).toBe(
    200,
  )
})

test('without a configured key every call is refused', async () => {
  const keyless = await startTestApi({ env: { BACKOFFICE_KEY: '' } })
  for (const headers of [{}, { 'x-service-key': '' }, { authorization: 'Bearer undefined' }])
    expect((await keyless.call({ url: '/api/users/activity', payload: {}, headers })).status).toBe(
      401,
    )
})

// spec: activity-reaches-missions
test.each<[kind: string, states: string, ...amounts: number[]]>([
  ['deposit', '003002', 299.99],
  ['deposit', '203002', 299.99, 0.01],
  ['deposit', '203002', 14_999.99],
  ['deposit', '203202', 14_999.99, 0.01],
  ['bet', '003002', 4999.99],
  ['bet', '023002', 324_078_230.53],
  ['deposit', '003002', ...Array(9).fill(1)],
  ['deposit', '003022', ...Array(10).fill(1)],
])('a sum of %s reaches the states %s: %p', async (kind, states, ...amounts) => {
  const { account, token } = await api.addSession()
  await send(...amounts.map((amount) => event(account, { kind, amount })))
  expect(await api.states(token)).toBe(states)
})

test('an event sent again with other content is a conflict', async () => {
  const [{ account, token }, other] = [await api.addSession(), await api.addSession()]
  const one = event(account, { amount: 200 })
  await send(one)
  const changed = { ...one, amount: 300 }
  expect(await send(changed, { ...changed, username: other.account })).toEqual(
    refused('conflict', 'conflict'),
  )
  expect(await send({ ...one, source: 'other' })).toEqual(accepted)
  expect([await api.states(token), await api.states(other.token)]).toEqual(['203002', '003002'])
})

test('an event in the other Unicode composition is the same event', async () => {
  const { account, token } = await api.addSession()
  const ref = `bù điểm ${account}`.normalize('NFC')
  const deposit = event(account, { source: 'bù', ref, amount: 300 })
  expect(await send(deposit)).toEqual(accepted)
  const [source, other] = [deposit.source.normalize('NFD'), ref.normalize('NFD')]
  expect(await send({ ...deposit, source, ref: other })).toMatchObject({ repeated: 1 })
  expect(await send({ ...reversal(account, other), source })).toEqual(accepted)
  expect(await api.states(token)).toBe('003002')
})

test('an event sent for two members at once is booked once', async () => {
  const [one, other] = [await api.addMember(), await api.addMember()]
  for (let round = 0; round < 30; round++) {
    const sent = event(one)
    const answers = await Promise.all([send(sent), send({ ...sent, username: other })])
    expect(answers.map(({ accepted }) => accepted).sort()).toEqual([0, 1])
    expect(answers).toContainEqual(refused('conflict'))
  }
})

const completion = (username: string, event_code_detail: string, more: object = {}) => ({
  username,
  event_code_detail,
  completed_at: api.now().toISOString(),
  ...more,
})

test('a malformed batch is rejected and names the line', async () => {
  const lines = [
    event('an01', { amount: 1.005 }),
    event('an01', { occurred_at: '2025-02-30T00:00:00Z' }),
    event('an01', { ref: 'a\u200bb' }),
    // A mistyped kind and mistyped optional fields.
    event('an01', { reverses: 'r1' }),
    { ...reversal('an01', 'r1'), occured_at: '2025-08-11T09:30:00Z' },
    completion('an01', 'NAP_300', { completedAt: '2025-08-11T09:30:00Z' }),
    completion('an01', 'NAP_300', { ticket: 2 }),
    completion('an01', 'NAP_300', { completed_at: undefined }),
  ]
  for (const line of lines) {
    const [path, list] =
      'ref' in line ? ['activity', 'events'] : ['mission/completed', 'completions']
    const answer = await post(path, { [list]: [line] })
    expect([answer.status, answer.body.errors[0].path]).toEqual([
      400,
      expect.stringMatching(`^${list}.0\\b`),
    ])
  }
})

test('a request holds at most five thousand events', async () => {
  const { account, token } = await api.addSession()
  const events = Array.from({ length: 5000 }, () => event(account, { amount: 3 }))
  expect(await send(...events)).toEqual({ ...accepted, accepted: 5000 })
  expect(await api.states(token)).toBe('203222')
  expect((await post('activity', { events: [...events, event(account)] })).status).toBe(400)
})

test('a reversal marks a claimed mission until it is reached again', async () => {
  const { account, token } = await api.addSession()
  const deposit = event(account, { amount: 300 })
  await send(deposit)
  const given = (await api.claim(token, 'NAP_300')).body
  await send(reversal(account, deposit.ref))
  expect(await api.states(token)).toBe('103002')
  expect((await api.claim(token, 'NAP_300')).body).toEqual(given)
  expect(await api.needsReview(account, 'NAP_300')).toBe(true)
  await send(event(account, { amount: 300 }))
  expect(await api.needsReview(account, 'NAP_300')).toBe(false)
})

test('a reversal that breaks a claimed streak asks for review', async () => {
  const { account, token } = await api.addSession()
  const deposits = [11, 12, 13, 14, 15].map((d) =>
    event(account, { occurred_at: `2025-08-${d}T09:00:00+07:00` }),
  )
  await send(...deposits)
  const range = { startTimeStreak: '2025-08-11', endTimeStreak: '2025-08-15' }
  expect((await api.claim(token, 'NAP_STREAK', range)).body.status_code).toBe(200)
  await send(reversal(account, deposits[2]?.ref))
  expect(await api.needsReview(account, 'NAP_STREAK')).toBe(true)
  expect((await countContent(api.database))?.review).toBeGreaterThan(0)
  expect((await api.claim(token, 'NAP_STREAK', range)).body.data.code).toHaveLength(1)
  await send(event(account, { occurred_at: '2025-08-13T12:00:00+07:00' }))
  expect(await api.needsReview(account, 'NAP_STREAK')).toBe(false)
})

test.each(['before', 'after', 'with'])(
  'a reversal of another member’s event (%s it) has no effect',
  async (when) => {
    const [one, other] = [await api.addSession(), await api.addSession()]
    const deposit = event(one.account, { amount: 300 })
    const wrong = reversal(other.account, deposit.ref)
    if (when === 'with')
      expect(await send(wrong, deposit, wrong)).toEqual({
        ...accepted,
        refused: [0, 2].map((index) => ({ index, reason: 'wrong-target' })),
      })
    if (when === 'before') expect(await send(wrong)).toEqual(accepted)
    if (when !== 'with') expect(await send(deposit)).toEqual(accepted)
    if (when === 'after') expect(await send(wrong)).toEqual(refused('wrong-target'))
    expect(await api.states(one.token)).toBe('203002')
    const right = reversal(one.account, deposit.ref)
    expect(await send(right)).toEqual(accepted)
    expect(await api.states(one.token)).toBe('003002')
    // A reversal cannot be reversed; a mistaken one is corrected by a new
    // deposit.
    expect(await send(reversal(one.account, right.ref))).toEqual(refused('wrong-target'))
  },
)

test('a reversal with another amount than its target is refused', async () => {
  const { account, token } = await api.addSession()
  const deposit = event(account, { amount: 300 })
  const stating = (amount: number) => ({ ...reversal(account, deposit.ref), amount })
  expect(await send(stating(300))).toEqual(refused('unknown-target'))
  await send(deposit)
  expect(await send(stating(100), stating(300.01))).toEqual(refused('wrong-amount', 'wrong-amount'))
  expect(await api.states(token)).toBe('203002')
  const right = stating(300)
  expect(await send({ ...right, amount: 100 }, right, { ...right, amount: 200 })).toEqual({
    ...accepted,
    refused: [0, 2].map((index) => ({ index, reason: 'wrong-amount' })),
  })
  expect(await send({ ...right, amount: undefined })).toEqual({
    accepted: 0,
    repeated: 1,
    refused: [],
  })
  expect(await api.states(token)).toBe('003002')
  expect(await api.isSound()).toBe(true)
})

test('a second reversal of an event is refused', async () => {
  const account = await api.addMember()
  await send(reversal(account, 'taken back'))
  expect(await send(reversal(account, 'taken back'))).toEqual(refused('already-reversed'))
})

test('a deposit that comes with its reversal leaves the days of the stage kept', async () => {
  const account = await api.addMember()
  await send(event(account))
  const one = event(account, { occurred_at: '2025-08-12T09:30:00+07:00' })
  await send(one, reversal(account, one.ref))
  expect(await recountStaleDays(api.database)).toBe(0)
})

test('order, batches and repetition do not change the result', async () => {
  const [first, last] = ['2025-07-31T17:00:00.000Z', '2025-09-06T16:59:59.999Z']
  const line = fc.record({
    kind: fc.constantFrom('deposit', 'bet'),
    cents: fc.integer({ min: 1, max: 400_000 }),
    at: fc.oneof(
      fc
        .integer({ min: -2, max: 45 })
        .map((day) => new Date(Date.UTC(2025, 7, day, 5)).toISOString()),
      fc.constantFrom('2025-07-31T16:59:59.999Z', first, last, '2025-09-06T17:00:00.000Z'),
    ),
    isReversed: fc.boolean(),
    /** The lines' places among all lines. */
    places: fc.tuple(fc.nat(), fc.nat(), fc.nat()),
  })
  const isSummed = async (
    lines: readonly (typeof line extends fc.Arbitrary<infer T> ? T : never)[],
  ) => {
    const { account, token } = await api.addSession()
    const placed = lines.flatMap(({ kind, cents, at, isReversed, places }) => {
      const one = event(account, { kind, amount: cents / 100, occurred_at: at })
      const back = { ...reversal(account, one.ref), occurred_at: at }
      return [one, isReversed ? back : one, one].map((sent, i) => ({ sent, place: places[i] ?? 0 }))
    })
    const events = placed.sort((a, b) => a.place - b.place).map(({ sent }) => sent)
    let accepted = 0
    while (events.length > 0) accepted += (await send(...events.splice(0, 7))).accepted
    expect(accepted).toBe(lines.length + lines.filter(({ isReversed }) => isReversed).length)

    const counted = lines.filter(({ at, isReversed }) => !isReversed && at >= first && at <= last)
    const deposits = counted.filter(({ kind }) => kind === 'deposit')
    const sumOf = (all: typeof counted) => all.reduce((sum, { cents }) => sum + cents, 0)
    const bet = sumOf(counted) - sumOf(deposits)
    const reached = [
      sumOf(deposits) >= 30_000,
      bet >= 500_000,
      sumOf(deposits) >= 1_500_000,
      deposits.length >= 10,
    ]
    const [nap300, cuoc5000, nap15000, nap10] = reached.map((isReached) => (isReached ? 2 : 0))
    expect(await api.states(token)).toBe(`${nap300}${cuoc5000}3${nap15000}${nap10}2`)
  }
  await fc.assert(fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 25 }), isSummed), {
    numRuns: 10,
  })
  expect(await api.isSound()).toBe(true)
  expect(await recountStaleDays(api.database)).toBe(0)
})

const complete = async (...completions: object[]) =>
  (await post('mission/completed', { completions })).body.data

// spec: completed-mission-is-claimable
test('a completed mission can be claimed without any deposit', async () => {
  const { account, token } = await api.addSession()
  const one = completion(account, 'NAP_15000')
  expect(await complete(one, one)).toEqual({ ...accepted, repeated: 1 })
  expect(await complete(one)).toEqual({ accepted: 0, repeated: 1, refused: [] })
  expect(await api.states(token)).toBe('003202')
  await send(event(account))
  expect(await api.states(token)).toBe('003202')
  expect((await api.claim(token, 'NAP_15000')).body.data).toHaveLength(1)
  expect(await complete(one)).toEqual({ accepted: 0, repeated: 1, refused: [] })
  expect(await api.states(token)).toBe('003102')
})

test('unknown members, missions and stages are refused', async () => {
  const { account } = await api.addSession()
  expect(
    await complete(
      completion('nobody-here', 'NAP_300'),
      completion(`${account}.`, 'NAP_300'),
      completion(account, 'NAP_301'),
      completion(account, 'NAP_300', { completed_at: '2025-09-08T12:00:00+07:00' }),
    ),
  ).toEqual(refused('unknown-member', 'unknown-member', 'unknown-mission', 'outside-stages'))
})

test('another number of tickets for a claimed mission is a conflict', async () => {
  const { account, token } = await api.addDepositor()
  await api.claim(token, 'NAP_300')
  const more = completion(account, 'NAP_300', { tickets: 3 })
  expect(await complete(more)).toEqual(refused('conflict'))
  expect(await complete(more)).toEqual(refused('conflict'))
  expect(await complete(completion(account, 'NAP_300', { tickets: 1 }))).toEqual(accepted)
})

test('a completion without a number keeps that of the claim', async () => {
  const { account, token } = await api.addDepositor()
  await api.claim(token, 'NAP_300')
  await api.sql(`UPDATE mission SET tickets = 2 WHERE code = 'NAP_300'`)
  expect(await complete(completion(account, 'NAP_300'))).toEqual(accepted)
  await syncMissions(api.database)
})

test('a completion that waits for the claim is compared with its tickets', async () => {
  const { account, token } = await api.addSession()
  const deposit = event(account, { amount: 300 })
  await send(deposit)
  const claim = {
    session: sessionKey(token),
    body: { event_code_detail: 'NAP_300' },
    now: api.now(),
    shareHost: '',
  }
  const [completed] = await api.during(
    (tx) => claimMission(tx, claim),
    () => [complete(completion(account, 'NAP_300', { tickets: 3 }))],
  )
  expect(completed).toEqual(refused('conflict'))
  await send(reversal(account, deposit.ref))
  expect(await api.needsReview(account, 'NAP_300')).toBe(true)
})

// spec: six-tickets-a-stage
test('a completion gives at most the tickets that a stage has left', async () => {
  const { account, token } = await api.addSession()
  const worth = (mission: string, tickets: number) => completion(account, mission, { tickets })
  await complete(worth('NAP_300', 4), worth('NAP_15000', 3), worth('NAP_10LAN', 2))
  expect((await api.claim(token, 'NAP_300')).body.data).toHaveLength(4)
  const message =
    'Mỗi giai đoạn nhận tối đa 6 vé. Nhiệm vụ này có nhiều vé hơn số vé bạn còn được nhận.'
  const full = { status_code: 4090, message, data: null }
  expect((await api.claim(token, 'NAP_15000')).body).toEqual(full)
  expect((await api.claim(token, 'NAP_10LAN')).body.data).toHaveLength(2)
  expect((await api.claim(token, 'CHIASE', { share_links: LINKS })).body).toEqual(full)
  expect(await complete(worth('NAP_300', 5))).toEqual(refused('conflict'))
})

// spec: eighteen-tickets
test('three stages give eighteen tickets and no more', async () => {
  const { account, token } = await api.addSession()
  const codes = new Set<string>()
  const missions = ['NAP_300', 'CUOC_5000', 'NAP_STREAK', 'NAP_15000', 'NAP_10LAN', 'CHIASE']
  for (const day of ['2025-08-20', '2025-09-12', '2025-09-28']) {
    api.setNow(`${day}T23:59:59+07:00`)
    await complete(...missions.map((mission) => completion(account, mission)))
    const answers = await Promise.all([...missions, ...missions].map((m) => api.claim(token, m)))
    for (const { body } of answers) {
      for (const code of body.data.code ?? body.data) codes.add(code)
    }
  }
  expect(codes.size).toBe(18)
  await api.sql(
    `UPDATE member_mission SET claimed_at = NULL WHERE mission = 'NAP_300' AND stage = 3`,
  )
  expect((await api.claim(token, 'NAP_300')).body.status_code).toBe(4090)
})
