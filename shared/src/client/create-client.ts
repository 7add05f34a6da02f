import { SIGN_HEADER } from '../contract/headers.ts'
import type { ClientApi, DrawResults } from '../contract/host.ts'
import { failCall } from './api-error.ts'
import type { createCalls } from './calls.ts'
import type { ClientOptions } from './client-options.ts'
import { clientTexts as texts } from './texts.ts'

export const loadHttpClient = () => import(/* webpackChunkName: "axios" */ './calls.ts')

export function createClient(options: ClientOptions): ClientApi {
  let loading: Promise<ReturnType<typeof createCalls>> | undefined
  let drawing: Promise<DrawResults> | undefined
  const calls = () => {
    loading ??= loadHttpClient().then(({ createCalls }) => createCalls(options))
    return loading.catch(() => {
      loading = undefined
      throw failCall(options, 'unreachable', texts.unreachable)
    })
  }

  return {
    login: async (login) => (await calls()).login(login),
    updateInfo: async (address, token) => (await calls()).updateInfo(address, token),
    missions: async () => (await calls()).missions(),
    takeCode: async (claim) => (await calls()).takeCode(claim),
    history: async () => (await calls()).history(),
    check: async (query) => (await calls()).check(query),
    tradeGiftcode: async () => (await calls()).tradeGiftcode(),
    // In the landing page's chunk, which calls it first. A visitor need not
    // know of a failure. One call, because a page asks again while the server
    // puts it off.
    draws() {
      drawing ??= import(/* webpackChunkName: "landing" */ './request-draws.ts')
        .then(({ requestDraws }) => requestDraws(options))
        .catch(() => [])
        .finally(() => {
          drawing = undefined
        })
      return drawing
    },
  }
}

/** In the background. If the call is lost, the session ends by its lifetime. */
export function logoutInBackground(apiBase: string, token: string): void {
  const request = { method: 'POST', headers: { [SIGN_HEADER]: token }, keepalive: true }
  fetch(`${apiBase}/client/logout`, request).catch(() => undefined)
}
