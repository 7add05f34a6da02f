import type { AxiosInstance, AxiosRequestConfig } from 'axios'
import type { PublicConfig } from '../contract/config.ts'
import { EVENT_TIME_HEADER, SIGN_HEADER } from '../contract/headers.ts'
import type { ApiError, ApiFailure, ClientApi } from '../contract/host.ts'
import { isApiError } from '../contract/host.ts'
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
import { createApiError } from './api-error.ts'
import {
  checkFrom,
  giftcodesFrom,
  historyFrom,
  loginFrom,
  missionFrom,
  refusal,
  takenCodesFrom,
} from './from-wire.ts'

export interface ClientOptions {
  readonly config: Pick<PublicConfig, 'apiBase' | 'site'>
  token(): string | undefined
  /** Shows the interceptor's toast of section 8. Called once for each failed call, before it rejects. */
  onFailure(failure: ApiFailure, message: string, status?: number): void
  onEventTime(now: Date): void
}

const unexpected = (envelope: Envelope<unknown>) =>
  createApiError('refused', envelope.message ?? texts.unreachable, 200)

/** Milliseconds after which a call that the server put off is not sent again: longer than a database's failover. */
const PATIENCE_MS = 40_000

declare module 'axios' {
  interface InternalAxiosRequestConfig {
    givesUpAt?: number
  }
}

export const loadAxios = () => import(/* webpackChunkName: "axios" */ 'axios')

/** The calls of the specification's section 7 over axios, which the first call loads. */
export function createClient(options: ClientOptions): ClientApi {
  let loading: Promise<AxiosInstance> | undefined

  const send = async <T>(
    method: 'get' | 'post',
    url: string,
    request: AxiosRequestConfig = {},
  ): Promise<{ status: number; body: Envelope<T> }> => {
    loading ??= createHttp(options)
    const http = await loading.catch(() => {
      loading = undefined
      throw fail(options, 'unreachable', texts.unreachable)
    })
    const { status, data } = await http.request<Envelope<T>>({ ...request, method, url })
    return { status, body: data }
  }

  const sendSigned = <T>(method: 'get' | 'post', url: string, request: AxiosRequestConfig = {}) => {
    const token = options.token()
    if (!token) return Promise.reject(fail(options, 'no-token', texts.noToken))
    return send<T>(method, url, { ...request, headers: { [SIGN_HEADER]: token } })
  }

  return {
    async login({ username, lastBankNumber }) {
      const data: LoginBody = { site: options.config.site, username, lastBankNumber }
      const { body } = await send<LoginData | null>('post', '/client/login', { data })
      return loginFrom(body.data, username)
    },

    async updateInfo({ fullname, phoneNumber, address, note }, token) {
      const data: AddressBody = { address, fullname, phone_number: phoneNumber, note }
      const headers = { [SIGN_HEADER]: token }
      const { body } = await send<boolean>('post', '/client/update-info', { data, headers })
      return body.data === true
    },

    async missions() {
      const { body } = await sendSigned<MissionData[]>('get', '/client/info')
      if (!Array.isArray(body.data)) throw unexpected(body)
      return body.data.map(missionFrom)
    },

    async takeCode({ mission, shareLinks, streak }) {
      const data: TakeCodeBody = {
        event_code_detail: mission,
        ...(shareLinks && { share_links: [...shareLinks] }),
        ...(streak && { startTimeStreak: streak.start, endTimeStreak: streak.end }),
      }
      const params = { event_code_detail: mission }
      const { body } = await sendSigned<TakeCodeData>('post', '/client/take-code', { params, data })
      if (body.status_code !== 200) return refusal(body.message)
      return { ok: true, codes: takenCodesFrom(body.data) }
    },

    async history() {
      const { body } = await sendSigned<HistoryData | null>('get', '/client/history')
      return historyFrom(body)
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
      const { status, body } = await send<CheckData>('post', '/client/check', {
        data,
        // The specification has no such call, so an API host may lack it: that is an answer, not an error.
        validateStatus: (code) => code === 404 || (code >= 200 && code < 300),
      })
      if (status === 404) return { by: 'unsupported' }
      if (body.status_code !== 200) throw unexpected(body)
      return checkFrom(body.data)
    },

    async tradeGiftcode() {
      const { body } = await sendSigned<TradeData>('post', '/client/lottery/trade-giftcode', { data: {} })
      if (body.status_code !== 200) throw unexpected(body)
      return giftcodesFrom(body.data)
    },
  }
}

function fail(options: ClientOptions, failure: ApiFailure, message: string, status?: number): ApiError {
  options.onFailure(failure, message, status)
  return createApiError(failure, message, status)
}

function noteEventTime(options: ClientOptions, header: unknown): void {
  const now = new Date(String(header ?? ''))
  if (!Number.isNaN(now.getTime())) options.onEventTime(now)
}

async function createHttp(options: ClientOptions): Promise<AxiosInstance> {
  const { default: axios } = await loadAxios()
  // No time-out: specification, section 9.
  const http = axios.create({ baseURL: options.config.apiBase, timeout: 0 })

  http.interceptors.request.use((request) => {
    const token = options.token()
    if (token) request.headers.set('Authorization', `Bearer ${token}`)
    return request
  })

  http.interceptors.response.use(
    (response) => {
      noteEventTime(options, response.headers[EVENT_TIME_HEADER])
      return response
    },
    async (error: unknown) => {
      if (isApiError(error) || !axios.isAxiosError<{ message?: unknown }>(error)) throw error
      const { config, response } = error
      const status = response?.status
      const seconds = Number(response?.headers['retry-after'] ?? Number.NaN)
      // Every call may be repeated: a claim answers the same codes.
      if (config && status === 503 && seconds >= 0) {
        config.givesUpAt ??= Date.now() + PATIENCE_MS
        // Spread, since all members were put off at the same time.
        const wait = seconds * 1000 * (1 + Math.random())
        if (Date.now() + wait < config.givesUpAt) {
          await new Promise((resolve) => setTimeout(resolve, wait))
          return http.request(config)
        }
      }
      const said = response?.data?.message
      const message = typeof said === 'string' && said !== '' ? said : texts.unreachable
      const failure = status === undefined ? 'unreachable' : status === 401 ? 'unauthorized' : 'refused'
      throw fail(options, failure, message, status)
    },
  )
  return http
}

/** Ends a session on the server. Nobody waits for it: where it is lost, the session ends with its time. */
export function logout(apiBase: string, token: string): void {
  const request = { method: 'POST', headers: { [SIGN_HEADER]: token }, keepalive: true }
  fetch(`${apiBase}/client/logout`, request).catch(() => undefined)
}
