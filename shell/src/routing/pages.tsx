import type { Host } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { skeletonOf } from '@anniversary/shared/contract/routes'
import { Button } from '@anniversary/shared/ui/Button'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { firstPageTakeover } from '../first-load/replace-html.ts'
import { loadedLanding } from '../landing/load-landing.ts'
import { FailureCard } from '../layout/FailureCard.tsx'
import { focusMain } from '../layout/focus-page-heading.ts'
import { PageFrame } from '../layout/Layout.tsx'
import { PageSkeleton } from '../layout/PageSkeleton.tsx'
import { basePath, plainPath, routePath } from '../loader/base-path.ts'
import type { Loader } from '../loader/loader.ts'
import type { CompositionPort } from '../loader/page-composition.ts'
import { RemotePage } from '../remote-page/RemotePage.tsx'
import { closeRules } from '../rules/RulesPopup.tsx'
import { sessionStore } from '../session/session-store.ts'
import { shellTexts as texts } from '../texts.ts'
import { notifyMember } from '../toasts/toast-store.ts'
import { usePageRouter } from './router.ts'

type PagesLoader = Pick<Loader, 'pages'> & { readonly composition: Pick<CompositionPort, 'routes'> }

interface PageProps {
  readonly host: Host
  readonly loader: PagesLoader
}

const useRoutes = ({ composition: { routes } }: PagesLoader) =>
  useSyncExternalStore(routes.subscribe, routes.now, routes.now)

/**
 * First the page that the HTML holds, without a router, then those of
 * react-router.
 */
export function AppPages(props: PageProps) {
  const routes = useRoutes(props.loader)
  const { Pages, isRouted, onRouter } = usePageRouter()
  return (
    <>
      {!isRouted && <FirstPage {...props} />}
      {Pages && (
        <Pages
          base={basePath()}
          paths={Object.keys(routes)}
          pageOf={(path) => pageOf(path, props)}
          frameOf={(path, page) => (
            <PageFrame path={plainPath(path)} route={routes[plainPath(path)]} onMove={closeRules}>
              {page}
            </PageFrame>
          )}
          onRouter={onRouter}
          isRouted={isRouted}
        />
      )}
    </>
  )
}

function FirstPage(props: PageProps) {
  const [path] = useState(routePath)
  const routes = useRoutes(props.loader)
  useEffect(() => firstPageTakeover.leave, [])
  return (
    <PageFrame path={path} route={routes[path]}>
      {pageOf(path, props)}
    </PageFrame>
  )
}

function pageOf(path: string, { host, loader }: PageProps): ReactNode {
  const { routes } = loader.composition
  const route = routes.now()[path]
  if (!route) return <UnknownPath host={host} routes={routes} />
  const { remote } = route
  if (!remote) {
    const Landing = loadedLanding()
    return Landing && <Landing host={host} />
  }
  const page = (
    <RemotePage
      // So that no route shows the state or crash of another.
      key={path}
      remote={remote.name}
      expose={remote.expose}
      host={host}
      loader={loader.pages}
      skeleton={skeletonOf(route)}
    />
  )
  if (!route.protected) return page
  return (
    <Protected key={path} path={path} host={host}>
      {page}
    </Protected>
  )
}

interface ProtectedProps extends Pick<PageProps, 'host'> {
  readonly path: string
  readonly children: ReactNode
}

/** Checks the session once, because a page that logs out navigates itself. */
function Protected({ path, host, children }: ProtectedProps) {
  const [allowed] = useState(() => sessionStore.getState().session !== null)
  useEffect(() => {
    if (allowed) return
    // Specification, section 4: from home the page reloads.
    const reload = path === paths.home
    notifyMember.warning(texts.sessionExpired(path), { afterReload: reload })
    host.navigate(paths.login, { replace: true, reload })
  }, [allowed, path, host])
  if (!allowed) return null
  return children
}

interface UnknownPathProps extends Pick<PageProps, 'host'> {
  readonly routes: CompositionPort['routes']
}

/**
 * A path that is not known yet. Once all routes are known it has a page, or the
 * app moves to the landing page.
 */
function UnknownPath({ host, routes }: UnknownPathProps) {
  const { status, subscribe, load } = routes
  const known = useSyncExternalStore(subscribe, status, status)
  useEffect(() => {
    if (known === 'all') host.navigate(paths.landing, { replace: true })
    else if (known === 'some') void load()
  }, [host, known, load])
  if (known !== 'failed') return <PageSkeleton />
  return (
    <FailureCard title={texts.remote.failedTitle} text={texts.remote.failedText}>
      <Button
        onClick={() => {
          focusMain()
          void load()
        }}
      >
        {texts.retry}
      </Button>
    </FailureCard>
  )
}
