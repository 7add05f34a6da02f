import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'

export interface Call {
  /** Default: POST with a payload, else GET. */
  readonly method?: string
  readonly url: string
  readonly headers?: Record<string, string>
  /** Sent as JSON; text and bytes are sent unchanged. */
  readonly payload?: unknown
  /** The member's token. */
  readonly token?: string
  readonly key?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: tests read into bodies of many shapes; a wrong guess fails the test
  readonly body: any
}

export const BUSY = {
  status: 503,
  body: {
    status_code: 503,
    message: 'Hệ thống đang bận. Vui lòng thử lại sau ít phút!',
    data: null,
  },
}

export const cookieOf = ({ headers }: Answer): string =>
  String(headers['set-cookie']).split(';')[0] ?? ''

export const callerOf =
  (origin: string) =>
  async ({ url, headers, payload, token, key, method }: Call): Promise<Answer> => {
    const isRaw = typeof payload === 'string' || payload instanceof Uint8Array
    const response = await fetch(`${origin}${url}`, {
      method: method ?? (payload === undefined ? 'GET' : 'POST'),
      headers: {
        ...(token && { 'x-sign-key': token }),
        ...(key && { authorization: `Bearer ${key}` }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { body: isRaw ? payload : JSON.stringify(payload) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: isJson ? JSON.parse(text) : text,
    }
  }

/** Sends the begin of a login, and waits until the API has it in flight. */
export async function beginLogin(origin: string, key: string) {
  const login = { site: 'ANNIVERSARY', username: 'demo01', lastBankNumber: '1234' }
  const body = JSON.stringify(login)
  const sending = request(`${origin}/api/client/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]> // the event's argument
  sending.write(body.slice(0, 10))
  const call = callerOf(origin)
  // Health and metrics do not count.
  while (!(await call({ url: '/metrics', key })).body.includes('_in_flight 1'));
  return async (): Promise<unknown> => {
    sending.end(body.slice(10))
    const [response] = await answered
    return { status: response.statusCode, body: await json(response) }
  }
}
