import { expect, test } from '@jest/globals'
import { BUSY, startTestApi } from '../../test/test-api.ts'
import { statement } from '../database/database.ts'
import { MOST_IN_FLIGHT } from './pressure.ts'

const traffic = { inFlight: 0, leaving: false, draining: false }
const api = await startTestApi({ traffic })
const log: string[] = []
const logger = { stream: { write: (line: string) => void log.push(line) } }
const impatient = await startTestApi({ database: api.database, deadlineMs: 100, logger })

test('a server with too many calls refuses more with retry-after, but says that it lives', async () => {
  const info = () => api.call({ url: '/api/client/info' })
  traffic.inFlight = MOST_IN_FLIGHT
  const refused = await info()
  expect(refused).toMatchObject(BUSY)
  expect(refused.headers['retry-after']).toBe('2')
  expect((await api.call({ url: '/livez' })).status).toBe(200)
  traffic.inFlight -= MOST_IN_FLIGHT
  expect((await info()).status).toBe(401)
  expect(traffic.inFlight).toBe(0)
})

test('a call that the database holds up is answered by its deadline, and what it asked for goes on', async () => {
  const { account, token } = await api.addSession()
  await api.act(account, ['2025-08-11', 'deposit', 300])
  await api.database.transaction(async (tx) => {
    await tx.query(statement('LOCK TABLE member_mission'))
    const info = () => impatient.call({ url: '/api/client/info', token })
    for (const answer of await Promise.all([impatient.claim(token, 'NAP_300'), info()])) {
      expect(answer).toMatchObject(BUSY)
      expect(answer.headers['retry-after']).toBe('2')
    }
  })
  while (!(await api.states(token)).startsWith('1'));
  expect(log.filter((line) => line.includes('already sent'))).toEqual([])
})
