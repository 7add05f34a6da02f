import type { Host } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { skeletonOf } from '@anniversary/shared/contract/routes'
import { Button } from '@anniversary/shared/ui/Button'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { Landing } from '../landing/Landing.tsx'
import { FailureCard } from '../layout/FailureCard.tsx'
import { Layout } from '../layout/Layout.tsx'
import { PageSkeleton } from '../layout/PageSkeleton.tsx'
import { routePath } from '../loader/base-path.ts'
import type { Loader } from '../loader/loader.ts'
import type { RemoteLoader } from '../loader/remote-loader.ts'
import { RemotePage } from '../remote-page/RemotePage.tsx'
import { sessionStore } from '../session/session-store.ts'
import { texts } from '../texts.ts'
import { notify } from '../toasts/toast-store.ts'
import { usePageChange } from './use-page-change.ts'

export interface PageProps {
  readonly host: Host
  readonly loader: RemoteLoader & Pick<Loader, 'routes'>
  /** Restores focus, input and click in the first page. */
  readonly restoreInput?: (() => void) | undefined
}

export const useRoutes = ({ routes: { subscribe, now } }: Pick<Loader, 'routes'>) =>
  useSyncExternalStore(subscribe, now, now)

/** The page that the HTML holds, without a router. */
export function FirstPage(props: PageProps) {
  const [path] = useState(routePath)
  return (
    <PageFrame path={path} loader={props.loader}>
      {pageOf(path, props)}
    </PageFrame>
  )
}

interface PageFrameProps extends Pick<PageProps, 'loader'> {
  readonly path: string
  /** Whether the page follows a move, not a page load. */
  readonly isMove?: boolean
  readonly children: ReactNode
}

/** Title and layout of a page. A layout unmounts together with its page when the next page has another one. */
export function PageFrame({ path, loader, isMove = false, children }: PageFrameProps) {
  const { title, fullscreen } = useRoutes(loader)[path] ?? {}
  usePageChange(path, title, isMove)
  return (
    <Layout fullscreen={fullscreen} isMove={isMove}>
      {children}
    </Layout>
  )
}

/** The element of a route: the landing page is the shell's own, every other page a remote's. */
export function pageOf(path: string, { host, loader, restoreInput }: PageProps): ReactNode {
  const route = loader.routes.now()[path]
  if (!route) return <UnknownPath host={host} routes={loader.routes} />
  const { remote } = route
  if (!remote) return <Landing host={host} />
  const page = (
    <RemotePage
      // So that no route shows the state or crash of another.
      key={path}
      remote={remote.name}
      expose={remote.expose}
      host={host}
      loader={loader}
      skeleton={skeletonOf(route)}
      restoreInput={restoreInput}
    />
  )
  return route.protected ? (
    <Protected key={path} path={path} host={host}>
      {page}
    </Protected>
  ) : (
    page
  )
}

interface ProtectedProps extends Pick<PageProps, 'host'> {
  readonly path: string
  readonly children: ReactNode
}

/** Shows a page to members only. It checks the session once, because a page that logs out navigates itself. */
function Protected({ path, host, children }: ProtectedProps) {
  const [allowed] = useState(() => sessionStore.getState().session !== null)
  useEffect(() => {
    if (allowed) return
    // Specification, section 4: from home the page reloads.
    const reload = path === paths.home
    notify.warning(texts.sessionExpired(path), { afterReload: reload })
    host.navigate(paths.login, { replace: true, reload })
  }, [allowed, path, host])
  return allowed ? children : null
}

/** A path that is not known yet. Once all routes are known it has a page, or the app moves to the landing page. */
function UnknownPath({ host, routes }: Pick<PageProps, 'host'> & Pick<Loader, 'routes'>) {
  const { status, subscribe, load } = routes
  const known = useSyncExternalStore(subscribe, status, status)
  useEffect(() => {
    if (known === 'all') host.navigate(paths.landing, { replace: true })
    else if (known === 'some') void load()
  }, [host, known, load])
  return known !== 'failed' ? (
    <PageSkeleton />
  ) : (
    <FailureCard title={texts.remote.failedTitle} text={texts.remote.failedText}>
      <Button onClick={load}>{texts.retry}</Button>
    </FailureCard>
  )
}
