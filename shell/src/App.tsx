import { paths } from '@anniversary/shared/contract/paths'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { createHost } from './host/create-host.ts'
import { Banners } from './layout/Banner.tsx'
import { BusyBanner } from './layout/BusyBanner.tsx'
import { Layout } from './layout/Layout.tsx'
import { NewVersionBanner } from './layout/NewVersionBanner.tsx'
import { OfflineBanner } from './layout/OfflineBanner.tsx'
import { routePath } from './loader/base-path.ts'
import type { Loader } from './loader/loader.ts'
import { CrashBoundary } from './remote-page/CrashBoundary.tsx'
import { AppRoutes } from './routing/AppRoutes.tsx'
import { followLinks } from './routing/follow-links.ts'
import { usePath } from './routing/router.ts'
import { usePageChange } from './routing/use-page-change.ts'
import { RulesPopup } from './rules/RulesPopup.tsx'
import { watchSession } from './session/session-store.ts'
import { texts } from './texts.ts'
import { Toasts } from './toasts/Toasts.tsx'

type AppLoader = Omit<Loader, 'attach' | 'release' | 'failures' | 'send' | 'ownerOf'>

export function App({ loader }: { loader: AppLoader }) {
  const { config, routes } = loader
  const host = useMemo(() => createHost(config, loader.prefetch), [config, loader])
  useEffect(() => followLinks(host.navigate), [host])
  const path = usePath()
  const { title, fullscreen = false } =
    useSyncExternalStore(routes.subscribe, routes.now, routes.now)[path] ?? {}
  usePageChange(path, title)
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
  // With the layout: a page of another layout is left together with its layout.
  const page = (
    <Layout fullscreen={fullscreen}>
      <AppRoutes path={path} host={host} loader={loader} />
    </Layout>
  )
  return (
    <>
      <Banners>
        <BusyBanner />
        <OfflineBanner />
        <NewVersionBanner loader={loader} />
      </Banners>
      {/* React gives it errors of a page that is being left, which take nothing from the next one. */}
      <CrashBoundary onCrash={loader.leavingCrashed} fallback={page}>
        {page}
      </CrashBoundary>
      <RulesPopup supportUrl={config.supportUrl} />
      <Toasts />
    </>
  )
}
