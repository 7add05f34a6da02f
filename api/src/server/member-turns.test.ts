import { pending } from '@anniversary/shared/testing/pending'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { createMemberTurns } from './member-turns.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** Calls that run until the test ends them. */
function setUp() {
  const inTurn = createMemberTurns()
  const begun: string[] = []
  const call = (key: string, name: string) => {
    const work = pending<string>()
    let leave: () => void = () => undefined
    const answer = inTurn(
      key,
      (hangUp) => {
        leave = hangUp
      },
      () => {
        begun.push(name)
        return work.promise
      },
    )
    return { answer, leave: () => leave(), end: () => work.resolve(name), fail: work.reject }
  }
  const settle = () => jest.advanceTimersByTimeAsync(0)
  /** Resolves to `waits` for a call that has got a place. */
  const callBeyond = () => Promise.race([call('an', 'beyond').answer, settle().then(() => 'waits')])
  return { call, callBeyond, begun, settle }
}

test("a member's calls run one after another, also after one that failed", async () => {
  const { call, begun, settle } = setUp()
  const [first, second, third] = [call('an', '1'), call('an', '2'), call('an', '3')]
  call('thu', 'other')
  await settle()
  expect(begun).toEqual(['1', 'other'])
  first.fail(new Error('lost'))
  await expect(first.answer).rejects.toThrow('lost')
  await settle()
  expect(begun).toEqual(['1', 'other', '2'])
  second.end()
  expect(await second.answer).toBe('2')
  third.end()
  expect(await third.answer).toBe('3')
})

test('a member has sixteen places, and a caller who hangs up leaves one', async () => {
  const { call, callBeyond, begun, settle } = setUp()
  const calls = Array.from({ length: 16 }, (_, n) => call('an', `${n}`))
  expect(await callBeyond()).toBeUndefined()
  await settle()
  // A running call may still commit, so it keeps its place and its turn.
  calls[0]?.leave()
  expect(await callBeyond()).toBeUndefined()
  calls[1]?.leave()
  call('an', 'next')
  expect(await callBeyond()).toBeUndefined()
  for (const { end } of calls) end()
  await settle()
  expect(await calls[1]?.answer).toBeUndefined()
  expect(begun).toEqual(
    [...calls.keys()]
      .filter((n) => n !== 1)
      .map(String)
      .concat('next'),
  )
})

test('a member whose calls are over has all places again', async () => {
  const { call, callBeyond } = setUp()
  for (let n = 0; n < 2; n++) {
    const one = call('an', `${n}`)
    one.end()
    await one.answer
  }
  const calls = Array.from({ length: 16 }, (_, n) => call('an', `${n}`))
  expect(await callBeyond()).toBeUndefined()
  for (const { end } of calls) end()
  await Promise.all(calls.map(({ answer }) => answer))
})

test('a member has forty calls a second', async () => {
  const { call } = setUp()
  const once = async (key: string) => {
    const one = call(key, 'granted')
    one.end()
    return await one.answer
  }
  await jest.advanceTimersByTimeAsync(1001)
  for (let n = 0; n < 40; n++) expect(await once('an')).toBe('granted')
  expect(await once('an')).toBeUndefined()
  expect(await once('thu')).toBe('granted')
  await jest.advanceTimersByTimeAsync(1001)
  expect(await once('an')).toBe('granted')
})
