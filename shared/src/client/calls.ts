import type { AxiosRequestConfig } from 'axios'
import { SIGN_HEADER } from '../contract/headers.ts'
import type { ClientApi } from '../contract/host.ts'
import type {
  AddressBody,
  CheckBody,
  CheckData,
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
import type { ClientOptions } from './create-client.ts'
import * as wire from './from-wire.ts'
import { createHttp } from './http.ts'

const unexpected = (envelope: Envelope<unknown>) =>
  createApiError('refused', envelope.message ?? texts.unreachable, 200)

/** The calls of the specification's section 7 over axios, a chunk: none goes out before the first page shows. */
export function createCalls(options: ClientOptions): Omit<ClientApi, 'draws'> {
  const http = createHttp(options)

  const send = async <T>(
    method: 'get' | 'post',
    url: string,
    request: AxiosRequestConfig = {},
  ): Promise<{ status: number; body: Envelope<T> }> => {
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
      return wire.loginFrom(body.data, username)
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
      return body.data.map(wire.missionFrom)
    },

    async takeCode({ mission, shareLinks, streak }) {
      const data: TakeCodeBody = {
        event_code_detail: mission,
        ...(shareLinks && { share_links: [...shareLinks] }),
        ...(streak && { startTimeStreak: streak.start, endTimeStreak: streak.end }),
      }
      const params = { event_code_detail: mission }
      const { body } = await sendSigned<TakeCodeData>('post', '/client/take-code', { params, data })
      if (body.status_code !== 200) return wire.refusal(body.message)
      return { ok: true, codes: wire.takenCodesFrom(body.data) }
    },

    async history() {
      const { body } = await sendSigned<HistoryData | null>('get', '/client/history')
      return wire.historyFrom(body)
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
      return wire.checkFrom(body.data)
    },

    async tradeGiftcode() {
      const { body } = await sendSigned<TradeData>('post', '/client/lottery/trade-giftcode', {
        data: {},
      })
      if (body.status_code !== 200) throw unexpected(body)
      return wire.giftcodesFrom(body.data)
    },
  }
}
