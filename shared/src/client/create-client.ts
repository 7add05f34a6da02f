import { SIGN_HEADER } from '../contract/headers.ts'
import type { ClientApi } from '../contract/host.ts'
import { putOffMs } from '../contract/put-off.ts'
import type { DrawsAnswer } from '../contract/wire.ts'
import { fail } from './api-error.ts'
import type { createCalls } from './calls.ts'
import { type ClientOptions, noteHeaders } from './client-options.ts'
import { clientTexts as texts } from './texts.ts'

/** Loads the chunk of the first call ahead. */
export const loadHttp = () => import(/* webpackChunkName: "axios" */ './calls.ts')

/** Creates the client of the API, whose first call loads its chunk. */
export function createClient(options: ClientOptions): ClientApi {
  let loading: Promise<ReturnType<typeof createCalls>> | undefined
  const calls = () => {
    loading ??= loadHttp().then(({ createCalls }) => createCalls(options))
    return loading.catch(() => {
      loading = undefined
      throw fail(options, 'unreachable', texts.unreachable)
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
    // The landing page asks, which has no other call: without axios, and a visitor need not know of a failure.
    async draws() {
      try {
        for (;;) {
          // Past the browser's cache, which hides an answer's age; those of the servers hold it for everybody.
          const answer = await fetch(`${options.config.apiBase}/client/draws`, {
            cache: 'no-store',
          })
          const wait = putOffMs(answer.status, answer.headers.get('retry-after'))
          if (wait === undefined) {
            noteHeaders(options, (name) => answer.headers.get(name))
            const { data, frozen }: DrawsAnswer = await answer.json()
            if (!Array.isArray(data)) return []
            if (!frozen) return data
            return Object.assign(data, {
              frozen: frozen.map(({ frozen_at, ...list }) => ({ ...list, frozenAt: frozen_at })),
            })
          }
          await new Promise((resolve) => setTimeout(resolve, wait))
        }
      } catch {
        return []
      }
    },
  }
}

/** Ends a session on the server, in the background. If the call is lost, the session ends by its lifetime. */
export function logout(apiBase: string, token: string): void {
  const request = { method: 'POST', headers: { [SIGN_HEADER]: token }, keepalive: true }
  fetch(`${apiBase}/client/logout`, request).catch(() => undefined)
}
