import { paths } from '@anniversary/shared/contract/paths'
import { type ReactNode, useEffect, useState } from 'react'
import { basePath } from '../loader/base-path.ts'
import { sessionStore } from '../session/session-store.ts'
import { texts } from '../texts.ts'
import { notify } from '../toasts/toast-store.ts'
import { move } from './router.ts'

/** Shows a page to members only. Checks the session on entry: a page that logs out navigates by itself. */
export function Protected({ path, children }: { path: string; children: ReactNode }) {
  const [allowed] = useState(() => sessionStore.getState().session !== null)
  if (allowed) return children
  return <ToLogin isHome={path === paths.home} />
}

/** Specification, section 4: from home the page reloads. */
function ToLogin({ isHome }: { isHome: boolean }) {
  useEffect(() => {
    if (isHome) {
      notify.warning(texts.sessionExpiredHome, { afterReload: true })
      location.replace(basePath() + paths.login)
    } else {
      notify.warning(texts.sessionExpired)
      move(paths.login, true)
    }
  }, [isHome])
  return null
}
