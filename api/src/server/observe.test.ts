import { Writable } from 'node:stream'
import { describe, expect, test } from '@jest/globals'
import { SERVICE_KEY, startTestApi } from '../../test/test-api.ts'
import { loggerOptions } from './observe.ts'

const lines: string[] = []
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const api = await startTestApi({ logger: { ...loggerOptions('trace'), stream } })

describe('the log', () => {
  const entries = () => lines.map((line) => JSON.parse(line))

  test('has one line for each answer', async () => {
    const answer = await api.call({
      url: '/api/client/info?secret=1',
      headers: { 'x-request-id': 'of-the-proxy.1' },
    })
    expect(answer.headers['x-request-id']).toBe('of-the-proxy.1')
    expect(entries().filter((e) => e.reqId === 'of-the-proxy.1' && e.msg === 'answered')).toEqual([
      expect.objectContaining({ method: 'GET', route: '/api/client/info', status: 401 }),
    ])
    const other = await api.call({ url: '/livez', headers: { 'x-request-id': 'a"b c'.repeat(20) } })
    expect(other.headers['x-request-id']).toMatch(/^[\w.-]{1,64}$/)
  })

  test('contains the trace id of a valid traceparent only', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const send = (traceparent: string) =>
      api.call({ url: '/livez?trace', headers: { traceparent } })
    await send(`00-${trace}-00f067aa0ba902b7-01`)
    await send(`00-${trace}-00f067aa0ba902b7-01","level":60`)
    const traced = entries().filter(({ traceId }) => traceId)
    expect(traced).toEqual([expect.objectContaining({ traceId: trace, route: '/livez' })])
  })

  test('never contains personal data or secrets', async () => {
    const secrets = ['NguyenVanBiMat', '0912345678', '12PhoBiMat', 'GhiChuBiMat']
    const { account, token } = await api.addSession()
    const address = {
      fullname: secrets[0],
      phone_number: secrets[1],
      address: secrets[2],
      note: secrets[3],
    }
    const update = (payload: unknown) =>
      api.call({ url: '/api/client/update-info', token, payload })
    expect((await update(address)).status).toBe(200)
    expect((await update({ ...address, fullname: 5 })).status).toBe(400)
    expect((await update(`${JSON.stringify(address)}}`)).status).toBe(400)
    await api.login(account, '0073')

    // Postgres repeats the whole row in its error.
    await api.sql(`ALTER TABLE member_address ADD CONSTRAINT never CHECK (fullname = '') NOT VALID`)
    const failed = await update(address)
    expect(failed.status).toBe(500)
    expect(failed.body).toEqual({
      status_code: 500,
      message: 'Hệ thống gặp sự cố. Vui lòng thử lại sau!',
      data: null,
    })
    await api.sql('ALTER TABLE member_address DROP CONSTRAINT never')
    expect(entries().some((e) => e.err?.code === '23514')).toBe(true)

    await api.call({
      url: '/api/users/activity',
      key: SERVICE_KEY,
      payload: { events: [{}] },
    })
    const log = lines.join('')
    for (const secret of [...secrets, token, SERVICE_KEY, account])
      expect(log).not.toContain(secret)
    // A time or a random id may hold these digits.
    const withoutIds = entries().map((entry) => JSON.stringify({ ...entry, reqId: '' }))
    expect(withoutIds.join('')).not.toMatch(/\b0073\b/)
  })
})

test('Server-Timing has queue, database and total, except for logins', async () => {
  const { account, token } = await api.addSession()
  const { headers } = await api.list(token)
  const timing = /^queue;dur=([\d.]+), db;dur=([\d.]+), total;dur=([\d.]+)$/.exec(
    String(headers['server-timing']),
  )
  const [queue = -1, db = -1, total = -1] = (timing ?? []).slice(1).map(Number)
  expect(db).toBeGreaterThan(0)
  expect(total).toBeGreaterThanOrEqual(Math.max(queue, db))
  // A guess must not learn whether an account exists.
  expect((await api.login(account)).headers).not.toHaveProperty('server-timing')
})
