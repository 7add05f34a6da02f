import { expect, test } from '@jest/globals'
import { EarlyCalls } from './early-calls.ts'
import { LIMITS } from './lane.ts'

const early = new EarlyCalls<{ name: string; since: number }>({ ...LIMITS, earlyRefusals: 2 })
const enter = (names: string, since = performance.now()) =>
  [...names].map((name) => early.enter({ name, since }))
const refused = (isStopping = false) => early.sample(isStopping).map(({ name }) => name)

test('each sample refuses a few early calls, the oldest first', () => {
  expect(enter('abcdefg')).toEqual([false, false, true, true, true, true, true])
  expect(refused()).toEqual(['c', 'd'])
  expect(enter('h')).toEqual([true])
  expect(refused()).toEqual(['e', 'f'])
  expect(refused(true)).toEqual(['g', 'h'])
  expect(refused()).toEqual([])
  expect(enter('ij')).toEqual([false, false])
})

test('a call that is past its deadline is refused by the next sample', () => {
  enter('kl')
  enter('mnop', performance.now() - LIMITS.deadlineSeconds * 1000 - 1)
  expect(refused()).toEqual(['k', 'l', 'm', 'n', 'o', 'p'])
})
