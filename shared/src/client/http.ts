import axios from 'axios'
import { EVENT_TIME_HEADER } from '../contract/headers.ts'
import { isApiError } from '../contract/host.ts'
import { clientTexts as texts } from '../texts.ts'
import { fail } from './api-error.ts'
import { type ClientOptions, noteEventTime } from './client-options.ts'

/** Milliseconds after which a call that the server put off is not sent again: longer than a database's failover. */
const PATIENCE_MS = 40_000

declare module 'axios' {
  interface InternalAxiosRequestConfig {
    givesUpAt?: number
  }
}

/** Axios with the interceptors of the specification's section 8. */
export function createHttp(options: ClientOptions) {
  // No time-out: specification, section 9.
  const http = axios.create({ baseURL: options.config.apiBase, timeout: 0 })

  http.interceptors.request.use((request) => {
    const token = options.token()
    // A call that is sent again is still that of the member who made it.
    if (token && !request.headers.has('Authorization'))
      request.headers.set('Authorization', `Bearer ${token}`)
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
        config.givesUpAt ??= performance.now() + PATIENCE_MS
        // Spread, since all members were put off at the same time.
        const wait = Math.max(1, seconds) * 1000 * (1 + Math.random())
        if (performance.now() + wait < config.givesUpAt) {
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
