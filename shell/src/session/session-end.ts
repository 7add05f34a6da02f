import { UNAUTHORIZED_DELAY_MS } from '@anniversary/shared/contract/event'
import type { ApiFailure } from '@anniversary/shared/contract/host'
import { routePath } from '../loader/base-path.ts'
import { shellTexts as texts } from '../texts.ts'
import { notifyMember } from '../toasts/toast-store.ts'
import { clearSession, sessionStore } from './session-store.ts'

/**
 * Ends the session when a call says so: one timer for all calls that fail
 * together.
 * @param leave goes to /login
 */
export function createSessionEnd(leave: () => void) {
  let leaving: ReturnType<typeof setTimeout> | undefined

  return {
    onFailure(failure: ApiFailure): void {
      const isOver = failure === 'unauthorized' || failure === 'no-token'
      if (!isOver || leaving !== undefined) return
      leaving = setTimeout(() => {
        leaving = undefined
        const hasExpired = failure === 'unauthorized' && sessionStore.getState().session !== null
        if (hasExpired)
          notifyMember.warning(texts.sessionExpired(routePath()), { afterReload: true })
        clearSession()
        leave()
      }, UNAUTHORIZED_DELAY_MS)
    },

    /** A new login has begun another session. */
    cancel(): void {
      clearTimeout(leaving)
      leaving = undefined
    },
  }
}
