import { setImmediate as turn } from 'node:timers/promises'
import { pending } from '@anniversary/shared/testing/pending'
import { expect, test } from '@jest/globals'
import { type Queryable, SILENT } from '../database/database.ts'
import { claimTogether, createClaimSets } from './claim-sets.ts'
import type { TakenCodes } from './take-tickets.ts'

interface Row {
  readonly n: number
  readonly codes: string[]
}

/** A database that the test answers. */
function setUp() {
  const sets: { readonly values: unknown[]; answer: ReturnType<typeof pending<Row[]>> }[] = []
  const alone: unknown[][] = []
  const db: Queryable = {
    query(statement, values = []) {
      if (statement !== claimTogether.statement) {
        alone.push([...values])
        return Promise.resolve([])
      }
      const answer = pending<Row[]>()
      sets.push({ values: [...values], answer })
      return answer.promise as Promise<never>
    },
  }
  const failures: unknown[] = []
  const take = createClaimSets(db, (error) => failures.push(error))
  const claim = (name: string, stage = 1, proof?: unknown) => {
    const at = new Date('2025-08-20T13:00:00Z')
    return take({ session: Buffer.from(name), stage, mission: 'NAP_300', at, proof })
  }
  const sessions = () => sets.map(({ values }) => (values[0] as Buffer[]).map(String))
  const answer = (index: number, ...rows: Row[]) => sets[index]?.answer.resolve(rows)
  return { sets, alone, failures, claim, sessions, answer }
}

test('claims of one turn form a set, and each gets its codes', async () => {
  const { sets, claim, sessions, answer } = setUp()
  const taken = [claim('an'), claim('thu'), claim('minh')]
  expect(sets).toEqual([])
  await turn()
  expect(sessions()).toEqual([['an', 'thu', 'minh']])
  expect(sets[0]?.values).toMatchObject({ 1: 1, 2: ['NAP_300', 'NAP_300', 'NAP_300'] })
  const codes = new Set(sets[0]?.values[4] as string[])
  expect(codes.size).toBeGreaterThanOrEqual(3)
  for (const code of codes) expect(code).toMatch(/^[\dA-Z]{4}(-[\dA-Z]{4}){2}$/)
  answer(0, { n: 3, codes: ['C'] }, { n: 1, codes: ['A'] })
  expect(await Promise.all(taken)).toEqual([['A'], undefined, ['C']])
})

test('two sets are under way, of 64 claims at most; the others wait', async () => {
  const { claim, sessions, answer } = setUp()
  const taken = Array.from({ length: 140 }, (_, n) => claim(`${n}`))
  await turn()
  expect(sessions().map(({ length }) => length)).toEqual([64, 64])
  taken.push(claim('late'))
  await turn()
  expect(sessions()).toHaveLength(2)
  answer(1)
  await turn()
  expect(sessions().map(({ length }) => length)).toEqual([64, 64, 13])
  for (const index of [0, 2]) answer(index)
  expect((await Promise.all(taken)).every((codes) => codes === undefined)).toBe(true)
})

test('each set is of one stage', async () => {
  const { sets, claim, sessions } = setUp()
  for (const [name, stage] of [['an', 1] as const, ['thu', 1] as const, ['minh', 2] as const])
    void claim(name, stage)
  await turn()
  expect(sessions()).toEqual([['an', 'thu'], ['minh']])
  expect(sets.map(({ values }) => values[1])).toEqual([1, 2])
})

test('claims of a set that failed are tried alone', async () => {
  const { sets, failures, claim } = setUp()
  const taken = [claim('an'), claim('thu')]
  await turn()
  const error = Object.assign(new Error('deadlock'), { code: '40P01' })
  sets[0]?.answer.reject(error)
  expect(await Promise.all(taken)).toEqual([undefined, undefined])
  expect(failures).toEqual([error])
  void claim('minh')
  await turn()
  expect(sets).toHaveLength(2)
})

test('claims that waited for a silent database fail with it', async () => {
  const { sets, failures, claim } = setUp()
  const taken: Promise<TakenCodes>[] = Array.from({ length: 130 }, (_, n) => claim(`${n}`))
  await turn()
  const error = Object.assign(new Error('timeout'), { code: SILENT })
  sets[0]?.answer.reject(error)
  sets[1]?.answer.resolve([])
  const ends = await Promise.allSettled(taken)
  const failed = ends.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))
  expect(failed).toEqual([...Array(64).keys(), 128, 129])
  expect(failures).toEqual([error])
  expect(sets).toHaveLength(2)
})

test('a claim with a proof has a statement of its own', async () => {
  const { sets, alone, claim } = setUp()
  expect(await claim('an', 1, { share_links: [] })).toBeUndefined()
  expect(sets).toEqual([])
  expect(alone).toMatchObject([{ 5: '{"share_links":[]}' }])
})
