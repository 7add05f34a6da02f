import { createClient, logout } from '@anniversary/shared/client/create-client'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import { UNAUTHORIZED_DELAY_MS } from '@anniversary/shared/contract/event'
import { SPREAD_MS } from '@anniversary/shared/contract/event-timeline'
import {
  type AppPath,
  HOST_CONTRACT,
  type Host,
  type Mission,
} from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { showPutOff } from '../layout/BusyBanner.tsx'
import { basePath } from '../loader/base-path.ts'
import type { Move } from '../routing/use-routing.ts'
import { openRules } from '../rules/RulesPopup.tsx'
import { clearSession, sessionStore, startSession, tokenForCall } from '../session/session-store.ts'
import { hasKeptToasts, keepToasts, notify } from '../toasts/toast-store.ts'

interface HostParts {
  readonly config: PublicConfig
  readonly move: Move
  preload(path: AppPath): void
}

/** Builds the host port (shared/contract/host) from the shell's session, toasts, client and router. */
export function createHost({ config, preload, move }: HostParts): Host {
  /** Milliseconds by which the event's clock is ahead of the device's. */
  let ahead = 0
  let spread = SPREAD_MS

  const navigate: Host['navigate'] = (path, { replace = false, reload = false } = {}) => {
    // `//host` and `/\host` would leave the site.
    if (!/^\/(?![/\\])/.test(path)) throw new Error(`Not a path of this app: ${path}`)
    if (!reload) {
      if (path !== paths.home) early = undefined
      if (move(path, replace)) return
      keepToasts()
    }
    location[replace ? 'replace' : 'assign'](basePath() + path)
  }

  /** One timer for all calls that fail with 401 together. A new login cancels it. */
  let leaving: ReturnType<typeof setTimeout> | undefined
  const leave = () => {
    leaving ??= setTimeout(() => {
      leaving = undefined
      clearSession()
      navigate(paths.login, { replace: true, reload: hasKeptToasts() })
    }, UNAUTHORIZED_DELAY_MS)
  }

  /** The missions requested at the login, for the page that opens next. */
  let early: Promise<readonly Mission[]> | undefined

  const client = createClient({
    config,
    token: tokenForCall,
    onFailure(failure, message, status) {
      if (status === 400) notify.warning(message)
      else notify.error(message)
      if (failure === 'unauthorized' || failure === 'no-token') leave()
    },
    onEventTime(now) {
      ahead = now.getTime() - Date.now()
    },
    onSpread(ms) {
      spread = ms
    },
    onPutOff: showPutOff,
  })

  return {
    contract: HOST_CONTRACT,
    config,
    api: {
      ...client,
      async login(login) {
        // While the answer is under way, the device has nothing else to do.
        preload(paths.home)
        return await client.login(login)
      },
      missions() {
        const list = early ?? client.missions()
        early = undefined
        return list
      },
    },
    session: {
      current: () => sessionStore.getState().session,
      start({ sign, username }) {
        clearTimeout(leaving)
        leaving = undefined
        startSession({ token: sign, username })
        early = client.missions()
        // The page that uses it handles its failure.
        early.catch(() => undefined)
      },
      clear() {
        const session = sessionStore.getState().session
        clearSession()
        if (session) logout(config.apiBase, session.token)
      },
      subscribe: sessionStore.subscribe,
    },
    notify,
    rules: { open: openRules },
    clock: { now: () => new Date(Date.now() + ahead), spread: () => spread },
    navigate,
    reload: () => location.reload(),
  }
}
