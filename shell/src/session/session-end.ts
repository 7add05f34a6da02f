import { UNAUTHORIZED_DELAY_MS } from '@anniversary/shared/contract/event'
import type { ApiFailure, Session } from '@anniversary/shared/contract/host'
import { routePath } from '../loader/base-path.ts'
import { shellTexts as texts } from '../texts.ts'
import { notifyMember } from '../toasts/toast-store.ts'
import { clearSession, sessionStore } from './session-store.ts'

/**
 * Returns a function that ends the session when a call says so: one timer for
 * all calls that fail together.
 * @param leave goes to /login
 */
export function createSessionEnd(leave: () => void) {
  /** Undefined while no timer runs. */
  let ending: Session | null | undefined

  return (failure: ApiFailure): void => {
    const isOver = failure === 'unauthorized' || failure === 'no-token'
    const { session } = sessionStore.getState()
    if (!isOver || ending === session) return
    ending = session
    setTimeout(() => {
      ending = undefined
      // The member has logged out or in meanwhile, maybe in another window.
      if (sessionStore.getState().session !== session) return
      const hasExpired = failure === 'unauthorized' && session !== null
      if (hasExpired) notifyMember.warning(texts.sessionExpired(routePath()), { afterReload: true })
      clearSession()
      leave()
    }, UNAUTHORIZED_DELAY_MS)
  }
}
