import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { BATCH_LIMIT } from '../src/backoffice/contract.ts'
import { failureReport } from './failure-report.ts'
import { type Answer, type Call, SERVICE_KEY, startTestApi } from './test-api.ts'

interface Operation {
  readonly security?: readonly Record<string, unknown>[]
  readonly requestBody?: { content: Record<string, { schema: object }> }
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>
}

const api = await startTestApi()
afterAll(() => api.close())

describe('the OpenAPI document', () => {
  let paths: Record<string, Record<string, Operation>>
  let account: string
  let token: string
  beforeAll(async () => {
    paths = (await api.call({ url: '/api/docs' })).body.paths
    ;({ account, token } = await api.addSession())
    await withExchanges()
  })

  /** Gives the member a mission to claim and two winning tickets, one of them exchanged: no list is empty. */
  const withExchanges = async () => {
    await api.act(
      account,
      ['2025-08-11', 'deposit', 300],
      ['2025-08-11', 'bet', 5000],
      ['2025-08-11', 'deposit', 15_000],
    )
    for (const mission of ['CUOC_5000', 'NAP_15000']) {
      const [ticketCode] = (await api.claim(token, mission)).body.data
      await api.win(ticketCode)
      if (mission === 'CUOC_5000') await api.trade(token)
    }
  }

  /** Each with a call of it; the call's good body is undefined where it has none. */
  const operations = () =>
    Object.entries(paths).flatMap(([url, item]) =>
      Object.entries(item).map(([verb, operation]) => {
        const method = verb.toUpperCase()
        const name = `${method} ${url}`
        return { name, operation, call: { method, url, payload: bodies()[name] } }
      }),
    )

  const at = '2025-08-11T09:30:00+07:00'
  /** One good body for each call that has one. */
  const bodies = (): Record<string, unknown> => ({
    'POST /api/client/login': { site: api.config.site, username: account, lastBankNumber: '1234' },
    'POST /api/client/update-info': { fullname: 'An', phone_number: '0900', address: 'Huế', note: '' },
    'POST /api/client/take-code': { event_code_detail: 'NAP_300' },
    'POST /api/client/check': { site: api.config.site, by: 'username', value: account },
    'POST /api/users/activity': {
      events: [{ source: 's', ref: 'r', username: account, kind: 'deposit', amount: 300, occurred_at: at }],
    },
    'POST /api/users/mission/completed': {
      completions: [{ username: account, event_code_detail: 'NAP_300', completed_at: at }],
    },
    'POST /api/reports': failureReport,
  })

  const credentials = (operation: Operation): Partial<Call> => {
    const names = (operation.security ?? []).flatMap(Object.keys)
    if (names.includes('serviceKey')) return { key: SERVICE_KEY }
    return names.includes('sign') ? { token } : {}
  }

  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const expectDeclared = (operation: Operation, answer: Answer) => {
    const content = operation.responses[answer.status]?.content
    expect(content).toBeDefined()
    const declared = Object.entries(content ?? {}).find(([type]) =>
      String(answer.headers['content-type']).startsWith(type),
    )
    expect(declared).toBeDefined()
    const validate = ajv.compile(declared?.[1].schema ?? false)
    validate(answer.body)
    expect(validate.errors).toBeNull()
  }

  // spec: all-calls
  test('names every call of the specification and our additions', () => {
    expect(
      operations()
        .map((o) => o.name)
        .sort(),
    ).toEqual([
      'GET /api/client/draws',
      'GET /api/client/history',
      'GET /api/client/info',
      'GET /api/reports/errors',
      'GET /api/reports/views',
      'GET /healthz',
      'GET /livez',
      'GET /metrics',
      'POST /api/client/check',
      'POST /api/client/login',
      'POST /api/client/logout',
      'POST /api/client/lottery/trade-giftcode',
      'POST /api/client/take-code',
      'POST /api/client/update-info',
      'POST /api/reports',
      'POST /api/users/activity',
      'POST /api/users/mission/completed',
    ])
  })

  // spec: calls-succeed-as-declared
  test('every call in it succeeds as declared', async () => {
    for (const { name, operation, call } of operations()) {
      expect([name, call.payload !== undefined]).toEqual([name, operation.requestBody !== undefined])
      const answer = await api.call({ ...call, ...credentials(operation) })
      expect([name, answer.status]).toEqual([name, 200])
      expectDeclared(operation, answer)
      if (name.endsWith('/logout')) token = (await api.login(account)).body.data.sign
      // The database writes these as text, past the serializer: an empty list would prove nothing.
      if (name.endsWith('/info')) expect(answer.body.data).toHaveLength(6)
      if (name.endsWith('/trade-giftcode')) expect(answer.body.data).toHaveLength(1)
      if (name.endsWith('/history')) {
        expect(answer.body.data.code_details.length).toBeGreaterThanOrEqual(2)
        expect(answer.body.data.giftcode_trade.length).toBeGreaterThanOrEqual(1)
      }
    }
  })

  // spec: calls-need-token
  test('every call that asks for credentials fails as declared without, and with dead ones', async () => {
    for (const { name, operation, call } of operations()) {
      // An empty requirement: open to the machine itself.
      if (operation.security?.some((one) => Object.keys(one).length === 0) ?? true) continue
      for (const [key, message] of [
        ['', 'Token không tồn tại. Vui lòng đăng nhập lại!'],
        ['dead', 'Phiên đăng nhập đã hết hạn. Vui lòng đăng nhập lại để tiếp tục!'],
      ] as const) {
        // Logging out may be repeated.
        if (name.endsWith('/logout') && key) continue
        const answer = await api.call({ ...call, key })
        const text = call.url.startsWith('/api/users/') ? 'Khóa dịch vụ không hợp lệ' : message
        expect([name, answer.status, answer.body.message]).toEqual([name, 401, text])
        expectDeclared(operation, answer)
      }
    }
  })

  test.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-proto'])(
    'what a local proxy forwards (%s) is not from this machine',
    async (header) => {
      const answer = await api.call({ url: '/metrics', headers: { [header]: 'x' } })
      expect(answer.status).toBe(401)
    },
  )

  // spec: calls-fail-as-declared
  test.each([
    ['no sense', 400, { payload: {} }],
    ['half a body', 400, { payload: '{"a":' }],
    ['no body', 400, { payload: '' }],
    ['a poisoned prototype', 400, { payload: '{"__proto__":{"x":1}}' }],
    ['a form', 415, { payload: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['too much', 413, { payload: { x: 'x'.repeat(BATCH_LIMIT * 1500) } }],
  ])('every call with a body fails as declared with %s', async (_name, status, wrong) => {
    for (const { name, operation, call } of operations()) {
      if (call.payload === undefined) continue
      const answer = await api.call({ ...call, ...credentials(operation), ...wrong })
      expect([name, answer.status]).toEqual([name, status])
      expectDeclared(operation, answer)
    }
  })
})
