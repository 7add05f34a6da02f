import type { Host } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { useEffect } from 'react'
import { routePath } from '../loader/base-path.ts'
import type { Routes } from '../loader/page-composition.ts'
import { watchSession } from '../session/session-store.ts'
import { texts } from '../texts.ts'

/** Follows other tabs' changes of the session: a logout ends it here, another member's login reloads the page. */
export function useSessionElsewhere(host: Host, routes: Routes): void {
  useEffect(
    () =>
      watchSession((session) => {
        if (!routes.now()[routePath()]?.protected) return
        if (session) {
          host.reload()
          return
        }
        host.notify.warning(texts.sessionExpired)
        host.navigate(paths.login, { replace: true })
      }),
    [host, routes],
  )
}
