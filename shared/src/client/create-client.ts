import type { AxiosRequestConfig } from 'axios'
import type { PublicConfig } from '../contract/config.ts'
import { EVENT_TIME_HEADER, SIGN_HEADER } from '../contract/headers.ts'
import type { ApiFailure, ClientApi } from '../contract/host.ts'
import type {
  AddressBody,
  CheckBody,
  CheckData,
  DrawsData,
  Envelope,
  HistoryData,
  LoginBody,
  LoginData,
  MissionData,
  TakeCodeBody,
  TakeCodeData,
  TradeData,
} from '../contract/wire.ts'
import { clientTexts as texts } from '../texts.ts'
import { createApiError, fail } from './api-error.ts'
import type { Http } from './http.ts'

export interface ClientOptions {
  readonly config: Pick<PublicConfig, 'apiBase' | 'site'>
  token(): string | undefined
  /** Shows the interceptor's toast of section 8. Called once for each failed call, before it rejects. */
  onFailure(failure: ApiFailure, message: string, status?: number): void
  onEventTime(now: Date): void
}

const unexpected = (envelope: Envelope<unknown>) =>
  createApiError('refused', envelope.message ?? texts.unreachable, 200)

/** Loads what the first call needs, so that it need not wait. */
export const loadHttp = () => import(/* webpackChunkName: "axios" */ './http.ts')

/** The calls of the specification's section 7 over axios, which the first call loads. */
export function createClient(options: ClientOptions): ClientApi {
  let loading: Promise<Http> | undefined

  const send = async <T>(
    method: 'get' | 'post',
    url: string,
    request: AxiosRequestConfig = {},
  ): Promise<{ status: number; body: Envelope<T>; wire: Http['wire'] }> => {
    loading ??= loadHttp().then(({ createHttp }) => createHttp(options))
    const { http, wire } = await loading.catch(() => {
      loading = undefined
      throw fail(options, 'unreachable', texts.unreachable)
    })
    const { status, data } = await http.request<Envelope<T>>({ ...request, method, url })
    return { status, body: data, wire }
  }

  const sendSigned = <T>(method: 'get' | 'post', url: string, request: AxiosRequestConfig = {}) => {
    const token = options.token()
    if (!token) return Promise.reject(fail(options, 'no-token', texts.noToken))
    return send<T>(method, url, { ...request, headers: { [SIGN_HEADER]: token } })
  }

  return {
    async login({ username, lastBankNumber }) {
      const data: LoginBody = { site: options.config.site, username, lastBankNumber }
      const { body, wire } = await send<LoginData | null>('post', '/client/login', { data })
      return wire.loginFrom(body.data, username)
    },

    async updateInfo({ fullname, phoneNumber, address, note }, token) {
      const data: AddressBody = { address, fullname, phone_number: phoneNumber, note }
      const headers = { [SIGN_HEADER]: token }
      const { body } = await send<boolean>('post', '/client/update-info', { data, headers })
      return body.data === true
    },

    async missions() {
      const { body, wire } = await sendSigned<MissionData[]>('get', '/client/info')
      if (!Array.isArray(body.data)) throw unexpected(body)
      return body.data.map(wire.missionFrom)
    },

    async takeCode({ mission, shareLinks, streak }) {
      const data: TakeCodeBody = {
        event_code_detail: mission,
        ...(shareLinks && { share_links: [...shareLinks] }),
        ...(streak && { startTimeStreak: streak.start, endTimeStreak: streak.end }),
      }
      const params = { event_code_detail: mission }
      const { body, wire } = await sendSigned<TakeCodeData>('post', '/client/take-code', { params, data })
      if (body.status_code !== 200) return wire.refusal(body.message)
      return { ok: true, codes: wire.takenCodesFrom(body.data) }
    },

    async history() {
      const { body, wire } = await sendSigned<HistoryData | null>('get', '/client/history')
      return wire.historyFrom(body)
    },

    // The landing page asks, which has no other call: without axios, and a visitor need not know of a failure.
    async draws() {
      try {
        const answer = await fetch(`${options.config.apiBase}/client/draws`)
        noteEventTime(options, answer.headers.get(EVENT_TIME_HEADER))
        const { data }: Envelope<DrawsData> = await answer.json()
        return Array.isArray(data) ? data : []
      } catch {
        return []
      }
    },

    async check({ by, value }) {
      const data: CheckBody = { site: options.config.site, by, value }
      const { status, body, wire } = await send<CheckData>('post', '/client/check', {
        data,
        // The specification has no such call, so an API host may lack it: that is an answer, not an error.
        validateStatus: (code) => code === 404 || (code >= 200 && code < 300),
      })
      if (status === 404) return { by: 'unsupported' }
      if (body.status_code !== 200) throw unexpected(body)
      return wire.checkFrom(body.data)
    },

    async tradeGiftcode() {
      const { body, wire } = await sendSigned<TradeData>('post', '/client/lottery/trade-giftcode', {
        data: {},
      })
      if (body.status_code !== 200) throw unexpected(body)
      return wire.giftcodesFrom(body.data)
    },
  }
}

export function noteEventTime(options: ClientOptions, header: unknown): void {
  const now = new Date(String(header ?? ''))
  if (!Number.isNaN(now.getTime())) options.onEventTime(now)
}

/** Ends a session on the server. Nobody waits for it: where it is lost, the session ends with its time. */
export function logout(apiBase: string, token: string): void {
  const request = { method: 'POST', headers: { [SIGN_HEADER]: token }, keepalive: true }
  fetch(`${apiBase}/client/logout`, request).catch(() => undefined)
}
