import { expect, test } from '@jest/globals'
import pg from 'pg'
import { claimReached, takeTickets } from './take-tickets.ts'

const request = {
  session: Buffer.from('an'),
  stage: 1,
  mission: 'NAP_300',
  at: new Date('2025-08-20T13:00:00Z'),
}
const take = (answer: () => Promise<object[]>) =>
  takeTickets({ query: () => answer() as Promise<never> }, request)

const violationOf = (constraint?: string) =>
  Object.assign(new pg.DatabaseError('violates a constraint', 1, 'error'), { constraint })

test.each(['stage_cap', 'ticket_code'])(
  'a claim that violates %s gets nothing',
  async (constraint) => {
    expect(await take(() => Promise.reject(violationOf(constraint)))).toBeUndefined()
  },
)

test.each([
  violationOf('ticket_code_fkey'),
  violationOf('old_stage_cap'),
  violationOf(),
  Object.assign(new Error('lost'), { constraint: 'stage_cap' }),
])('any other error fails the claim: %s', async (error) => {
  await expect(take(() => Promise.reject(error))).rejects.toBe(error)
})

test('a claim without a proof takes a mission that is reached', async () => {
  const sent: unknown[] = []
  const query = async (statement: unknown) => {
    sent.push(statement)
    return []
  }
  await takeTickets({ query }, request)
  await takeTickets({ query }, { ...request, proof: {} })
  expect(sent.map((statement) => statement === claimReached.statement)).toEqual([true, false])
})
