import { UNAUTHORIZED_DELAY_MS } from '@anniversary/shared/contract/event'
import { type ApiFailure, isApiError } from '@anniversary/shared/contract/host'
import { routePath } from '../loader/base-path.ts'
import { texts } from '../texts.ts'
import { notify } from '../toasts/toast-store.ts'
import { clearSession, sessionStore } from './session-store.ts'

const endsSession = (failure: ApiFailure): boolean =>
  failure === 'unauthorized' || failure === 'no-token'

/** Ends the session when a call says so: one timer for all calls that fail together. @param leave goes to /login */
export function createSessionEnd(leave: () => void) {
  let leaving: ReturnType<typeof setTimeout> | undefined

  return {
    onFailure(failure: ApiFailure): void {
      if (!endsSession(failure) || leaving !== undefined) return
      leaving = setTimeout(() => {
        leaving = undefined
        const hasExpired = failure === 'unauthorized' && sessionStore.getState().session !== null
        if (hasExpired) notify.warning(texts.sessionExpired(routePath()), { afterReload: true })
        clearSession()
        leave()
      }, UNAUTHORIZED_DELAY_MS)
    },

    /** A new login has begun another session. */
    cancel(): void {
      clearTimeout(leaving)
      leaving = undefined
    },

    /** A call of a member. It never ends when the session has ended, because the page is about to be left. */
    async unlessEnded<T>(call: Promise<T>): Promise<T> {
      try {
        return await call
      } catch (error) {
        if (isApiError(error) && endsSession(error.failure)) return await new Promise(() => {})
        throw error
      }
    },
  }
}
