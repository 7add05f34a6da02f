import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { newDatabase } from '../../test/engines.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'

test('a process that lags or is overrun refuses calls with retry-after, and stays alive', async () => {
  const database = await newDatabase('pglite')
  const traffic = { inFlight: 0, draining: false }
  const app = await buildApp({
    config: readConfig({}),
    database,
    clock: { now: () => new Date() },
    pepper: 'pepper',
    traffic,
    maxLagMs: 300,
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const statusOf = async (path: string) => (await fetch(origin + path)).status
  expect(await statusOf('/healthz')).toBe(200)

  traffic.inFlight = 2000
  const refused = await fetch(`${origin}/api/client/info`)
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('2')
  expect(await refused.json()).toEqual({
    status_code: 503,
    message: 'Hệ thống đang bận. Vui lòng thử lại sau ít phút!',
    data: null,
  })
  expect(await statusOf('/livez')).toBe(200)
  traffic.inFlight = 0
  expect(await statusOf('/api/client/info')).toBe(401)

  // Block the loop for longer than is allowed, until the plugin has taken a sample of it.
  const seen = new Set<number>()
  for (let i = 0; i < 10 && !seen.has(503); i++) {
    const until = performance.now() + 700
    while (performance.now() < until);
    await sleep(5)
    seen.add(await statusOf('/api/client/info'))
  }
  expect(seen).toContain(503)
  for (let i = 0; i < 50 && (await statusOf('/api/client/info')) === 503; i++) await sleep(100)
  expect(await statusOf('/api/client/info')).toBe(401)
  await app.close()
  await database.close()
})
