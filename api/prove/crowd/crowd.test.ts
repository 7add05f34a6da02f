import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import { load } from './load.ts'
import { missed, outcomeOfGoal } from './main.ts'
import { meet, type Plan } from './model.ts'
import { countUnhealthy } from './server.ts'

const costs = { answer: 1 / 5500, refusal: 0.1 / 5500 }

test.each<Plan['crowd']>(['stage', 'draw', 'restart', 'away'])(
  'all pages are served: %s',
  (crowd) => {
    const plan = { crowd, pages: 60_000, seed: 1, costs }
    expect(missed(plan, meet(plan))).toEqual([])
  },
)

test('pages that all open within 20 seconds are all served soon', () => {
  const pages = 200_000
  const { lost, secondsUntilLast } = meet({ crowd: 'rush', pages, seed: 1, costs })
  expect(lost).toBe(0)
  expect(secondsUntilLast).toBeLessThan(2 * pages * costs.answer)
})

test('the model loses pages of a server that is too slow', () => {
  const slow = { answer: 0.01, refusal: 0 }
  expect(meet({ crowd: 'rush', pages: 250_000, seed: 1, costs: slow }).lost).toBeGreaterThan(0)
})

test('a seed repeats a run', () => {
  const run = () => meet({ crowd: 'rush', pages: 60_000, seed: 7, costs })
  expect(run()).toEqual(run())
})

test('a goal that one round did not measure is missed', () => {
  const outcome = outcomeOfGoal({ figure: 'p99', values: [Number.NaN, 1, 2], most: 5 })
  expect(outcome.met).toBe('NO')
})

async function listen(handler: RequestListener) {
  const server = createServer(handler).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of a TCP server
  return { server, origin: `http://127.0.0.1:${port}` }
}

test('a load counts broken connections and calls sent, and has no p99 without a 200', async () => {
  const { server, origin } = await listen((request) => request.socket.destroy())
  const due = { origin, tokens: ['x'], connections: 1, seconds: 600, rate: 100_000 }
  const { p99, answers, sent } = await load(due)
  server.close()
  expect(p99).toBeNaN()
  expect(answers).toEqual({ 0: 1 })
  expect(sent).toBe(1)
  await expect(load(due)).rejects.toThrow('the load ended without figures')
})

test('lost calls of a load, and calls about health that hang, are wrong', async () => {
  const { server, origin } = await listen(() => undefined)
  const calls = { origin, tokens: ['x'], connections: 2, seconds: 1 }
  const [lost, late, unhealthy] = await Promise.all([
    load({ ...calls, lostAfterSeconds: 0.5 }),
    load(calls),
    countUnhealthy(origin, AbortSignal.abort(), 10),
  ])
  server.close()
  expect(lost.answers).toEqual({ 0: 2 })
  expect(late.answers).toEqual({})
  expect(unhealthy).toBe(2)
})
