import { paths } from '@anniversary/shared/contract/paths'
import { useEffect, useState } from 'react'
import { createHost } from './host/create-host.ts'
import { Banners } from './layout/Banner.tsx'
import { BusyBanner } from './layout/BusyBanner.tsx'
import { NewVersionBanner } from './layout/NewVersionBanner.tsx'
import { OfflineBanner } from './layout/OfflineBanner.tsx'
import { basePath, plainPath, routePath } from './loader/base-path.ts'
import type { Loader } from './loader/loader.ts'
import { CrashBoundary } from './remote-page/CrashBoundary.tsx'
import { followLinks } from './routing/follow-links.ts'
import { FirstPage, PageFrame, pageOf, useRoutes } from './routing/pages.tsx'
import { useRouting } from './routing/use-routing.ts'
import { RulesPopup } from './rules/RulesPopup.tsx'
import { watchSession } from './session/session-store.ts'
import { texts } from './texts.ts'
import { Toasts } from './toasts/Toasts.tsx'

type AppLoader = Omit<Loader, 'attach' | 'prefetch' | 'release' | 'failures' | 'send' | 'ownerOf'>

interface AppProps {
  readonly loader: AppLoader
  /** Restores focus, input and click in the first page when its code has loaded. */
  restoreInput?(): void
}

export function App({ loader, restoreInput }: AppProps) {
  const { config, routes, preload } = loader
  const known = useRoutes(loader)
  const { Pages, isRouted, navigateRef, canMove, move } = useRouting()
  const [host] = useState(() => createHost({ config, preload, move }))
  useEffect(
    () =>
      followLinks((path) => {
        if (!canMove()) return false
        host.navigate(path)
        return true
      }),
    [host, canMove],
  )
  useEffect(
    () =>
      watchSession((session) => {
        if (!routes.now()[routePath()]?.protected) return
        if (session) {
          host.reload()
          return
        }
        host.notify.info(texts.loggedOut)
        host.navigate(paths.login, { replace: true })
      }),
    [host, routes],
  )
  const props = { host, loader }
  const page = (
    <>
      {!isRouted && <FirstPage {...props} restoreInput={restoreInput} />}
      {Pages && (
        <Pages
          base={basePath()}
          paths={Object.keys(known)}
          pageOf={(path) => pageOf(path, props)}
          frameOf={(path, routed) => (
            <PageFrame path={plainPath(path)} loader={loader} isMove>
              {routed}
            </PageFrame>
          )}
          navigateRef={navigateRef}
          isRouted={isRouted}
        />
      )}
    </>
  )
  return (
    <>
      <Banners>
        <BusyBanner />
        <OfflineBanner />
        <NewVersionBanner loader={loader} />
      </Banners>
      {/* It gets the errors of a page that unmounts, which must not affect the next page. */}
      <CrashBoundary onCrash={loader.leavingCrashed} fallback={page}>
        {page}
      </CrashBoundary>
      <RulesPopup supportUrl={config.supportUrl} />
      <Toasts />
    </>
  )
}
