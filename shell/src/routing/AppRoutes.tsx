import type { Host } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { skeletonOf } from '@anniversary/shared/contract/routes'
import { Button } from '@anniversary/shared/ui/Button'
import { Fragment, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { Landing } from '../landing/Landing.tsx'
import { FailureCard } from '../layout/FailureCard.tsx'
import { PageSkeleton } from '../layout/PageSkeleton.tsx'
import { basePath } from '../loader/base-path.ts'
import type { Loader } from '../loader/loader.ts'
import type { Routes } from '../loader/page-composition.ts'
import type { RemoteLoader } from '../loader/remote-loader.ts'
import { RemotePage } from '../remote-page/RemotePage.tsx'
import { sessionStore } from '../session/session-store.ts'
import { texts } from '../texts.ts'
import { notify } from '../toasts/toast-store.ts'
import { move } from './router.ts'

interface AppRoutesProps {
  readonly path: string
  readonly host: Host
  readonly loader: RemoteLoader & Pick<Loader, 'routes'>
}

/** The page of a path: the landing page is the shell's own, every other one a remote's. */
export function AppRoutes({ path, host, loader }: AppRoutesProps) {
  const { subscribe, now } = loader.routes
  const route = useSyncExternalStore(subscribe, now, now)[path]
  if (!route) return <UnknownPath routes={loader.routes} />
  const { remote } = route
  if (!remote) return <Landing host={host} />
  const page = (
    <RemotePage
      remote={remote.name}
      expose={remote.expose}
      host={host}
      loader={loader}
      skeleton={skeletonOf(route)}
    />
  )
  // The key keeps one route's state and crash from showing on another.
  return <Fragment key={path}>{route.protected ? <Protected path={path}>{page}</Protected> : page}</Fragment>
}

/** Shows a page to members only. Checks the session on entry: a page that logs out navigates by itself. */
function Protected({ path, children }: { path: string; children: ReactNode }) {
  const [allowed] = useState(() => sessionStore.getState().session !== null)
  useEffect(() => {
    if (allowed) return
    // Specification, section 4: from home the page reloads.
    if (path === paths.home) {
      notify.warning(texts.sessionExpiredHome, { afterReload: true })
      location.replace(basePath() + paths.login)
    } else {
      notify.warning(texts.sessionExpired)
      move(paths.login, true)
    }
  }, [allowed, path])
  return allowed ? children : null
}

/** A path that the page does not carry: once all routes are known it either has a page or leads to the landing page. */
function UnknownPath({ routes: { status, subscribe, load } }: { routes: Routes }) {
  const known = useSyncExternalStore(subscribe, status, status)
  useEffect(() => {
    if (known === 'all') move(paths.landing, true)
    else if (known === 'some') void load()
  }, [known, load])
  return known !== 'failed' ? (
    <PageSkeleton />
  ) : (
    <FailureCard title={texts.remote.failedTitle} text={texts.remote.failedText}>
      <Button onClick={load}>{texts.retry}</Button>
    </FailureCard>
  )
}
