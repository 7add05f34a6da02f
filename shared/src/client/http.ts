import axios from 'axios'
import { SIGN_HEADER } from '../contract/headers.ts'
import { isApiError } from '../contract/host.ts'
import { LONGEST_PUT_OFF_MS, putOffMs } from '../contract/put-off.ts'
import { createApiError, failCall } from './api-error.ts'
import { type ClientOptions, noteAnswerHeaders } from './client-options.ts'
import { isPageLeaving, whenStaying } from './leaving.ts'
import { clientTexts as texts } from './texts.ts'
import { traceparentHeader } from './traceparent.ts'

declare module 'axios' {
  interface InternalAxiosRequestConfig {
    givesUpAt?: number
    /** Milliseconds that it last waited to be sent again. */
    waited?: number
    sentAt?: number
  }
}

/** Undefined for an empty one and for one that is no text. */
export function messageOf(answer: { message?: unknown } | null | undefined): string | undefined {
  const message = answer?.message
  return typeof message === 'string' && message !== '' ? message : undefined
}

const bearer = ({ token }: ClientOptions) => `Bearer ${token()}`

export function createHttpClient(options: ClientOptions) {
  // No time-out, as by default: specification, section 9. The API has no XSRF
  // cookie, and looking for one would delay each call.
  const http = axios.create({ baseURL: options.config.apiBase, withXSRFToken: false })

  http.interceptors.request.use((request) => {
    // A repeated call keeps the token of the member who made it.
    if (options.token()) request.headers.set('Authorization', bearer(options), false)
    // Another origin would have to allow the header.
    if (options.config.apiBase.startsWith('/'))
      request.headers.set('traceparent', traceparentHeader())
    request.sentAt = Date.now()
    return request
  })

  http.interceptors.response.use(
    (response) => {
      const { headers, config } = response
      noteAnswerHeaders(options, config.sentAt ?? Date.now(), (name) => headers[name])
      return response
    },
    async (error: unknown) => {
      if (isApiError(error) || !axios.isAxiosError<{ message?: unknown }>(error)) throw error
      const { config, response } = error
      const status = response?.status
      // A device that wakes up repeats its call before it has a network. It waits
      // as long as before, so that the whole crowd does not come back at once to
      // a server that starts.
      const lost = response || isPageLeaving() ? undefined : config?.waited
      const wait = putOffMs(status, response?.headers['retry-after']) ?? lost
      // Every call may be repeated, because a repeated claim answers the same
      // codes.
      if (config && wait !== undefined) {
        config.waited = wait
        config.givesUpAt ??= performance.now() + LONGEST_PUT_OFF_MS
        if (performance.now() + wait < config.givesUpAt) {
          const again = new Promise((resolve) => setTimeout(resolve, wait)).then(() =>
            http.request(config),
          )
          options.onPutOff?.(wait, again)
          return again
        }
      }
      const message = messageOf(response?.data) ?? texts.unreachable
      const sign = config?.headers.get(SIGN_HEADER)
      // The member logged out or in meanwhile, or another login waits for its
      // address: the call's end says nothing about the session of now.
      if (status === 401 && sign && sign !== options.token())
        throw createApiError('unauthorized', message, status)
      if (status === undefined && isPageLeaving()) {
        await whenStaying()
        // Without a toast: pages load again when they are shown again.
        throw createApiError('unreachable', texts.unreachable)
      }
      throw failCall(options, failureOf(status), message, status)
    },
  )
  return http
}

function failureOf(status: number | undefined) {
  if (status === undefined) return 'unreachable'
  if (status === 401) return 'unauthorized'
  return 'refused'
}
