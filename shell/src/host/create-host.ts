import { createClient, logoutInBackground } from '@anniversary/shared/client/create-client'
import { leave, reloadPage } from '@anniversary/shared/client/leaving'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import { SPREAD_MS } from '@anniversary/shared/contract/event-timeline'
import {
  type AppPath,
  HOST_CONTRACT,
  type Host,
  type MissionList,
} from '@anniversary/shared/contract/host'
import { EVENTS } from '@anniversary/shared/contract/page-names'
import { paths } from '@anniversary/shared/contract/paths'
import { showPutOff } from '../layout/BusyBanner.tsx'
import { basePath } from '../loader/base-path.ts'
import type { Move } from '../routing/router.ts'
import { openRulesPopup } from '../rules/RulesPopup.tsx'
import { createSessionEnd } from '../session/session-end.ts'
import { clearSession, sessionStore, startSession, tokenForCall } from '../session/session-store.ts'
import { hasKeptToasts, keepToasts, notifyMember } from '../toasts/toast-store.ts'

interface HostParts {
  readonly config: PublicConfig
  readonly move: Move
  preload(path: AppPath): void
}

/** A list that no page has taken by then is out of date. */
const EARLY_MS = 30_000

/** `//host` and `/\host` would leave the site. */
const isAppPath = (path: string): boolean => /^\/(?![/\\])/.test(path)

export function createHost({ config, preload, move }: HostParts): Host {
  const clock = createEventClock()
  const endSession = createSessionEnd(() =>
    navigate(paths.login, { replace: true, reload: hasKeptToasts() }),
  )
  /** For the page that opens after the login. */
  let early: Promise<MissionList> | undefined

  const client = createClient({
    config,
    token: tokenForCall,
    onFailure(failure, message, status) {
      if (status === 400) notifyMember.warning(message)
      else notifyMember.error(message)
      endSession(failure)
    },
    onEventTime(now) {
      clock.setTime(now)
      // Some browsers say that they are offline for good.
      if (!navigator.onLine) dispatchEvent(new Event(EVENTS.networkFound))
    },
    onSpread: clock.setSpread,
    onPutOff: showPutOff,
  })

  function navigate(
    path: AppPath,
    { replace = false, reload = false }: Parameters<Host['navigate']>[1] = {},
  ): void {
    if (!isAppPath(path)) throw new Error(`Not a path of this app: ${path}`)
    if (path !== paths.home) early = undefined
    if (!reload) {
      if (move(path, replace)) return
      keepToasts()
    }
    leave()
    location[replace ? 'replace' : 'assign'](basePath() + path)
  }

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
        startSession({ token: sign, username })
        const list = client.missions()
        early = list
        list.catch(() => undefined)
        setTimeout(() => {
          if (early === list) early = undefined
        }, EARLY_MS)
      },
      clear() {
        const session = sessionStore.getState().session
        clearSession()
        if (session) logoutInBackground(config.apiBase, session.token)
      },
      subscribe: sessionStore.subscribe,
    },
    notify: notifyMember,
    rules: { open: openRulesPopup },
    clock: { now: clock.now, isSet: clock.isSet, spread: clock.spread },
    navigate,
    reload: reloadPage,
  }
}

function createEventClock() {
  let ahead: number | undefined
  let spread = SPREAD_MS

  return {
    now: () => new Date(Date.now() + (ahead ?? 0)),
    isSet: () => ahead !== undefined,
    spread: () => spread,
    setTime(now: Date): void {
      ahead = now.getTime() - Date.now()
    },
    setSpread(ms: number): void {
      spread = ms
    },
  }
}
