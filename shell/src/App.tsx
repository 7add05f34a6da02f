import type { Host } from '@anniversary/shared/contract/host'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useSyncExternalStore } from 'react'
import { BrowserRouter, type NavigateFunction, useLocation, useNavigate } from 'react-router-dom'
import { createHost } from './host/create-host.ts'
import { Layout } from './layout/Layout.tsx'
import { OfflineBanner } from './layout/OfflineBanner.tsx'
import { basePath, plainPath } from './loader/base-path.ts'
import type { Loader } from './loader/loader.ts'
import type { PageData } from './loader/page-data.ts'
import { NewVersionBanner } from './new-version/NewVersionBanner.tsx'
import { LeavingBoundary } from './remote-page/CrashBoundary.tsx'
import { followLinks } from './routing/follow-links.ts'
import { usePageChange } from './routing/use-page-change.ts'
import { useSessionElsewhere } from './routing/use-session-elsewhere.ts'
import { RulesPopup } from './rules/RulesPopup.tsx'
import { Toasts } from './toasts/Toasts.tsx'

interface AppProps extends PageData {
  readonly loader: Pick<Loader, 'routes' | 'prefetch' | 'switchOff' | 'leavingCrashed'>
  readonly children: (host: Host) => ReactNode
}

export function App(props: AppProps) {
  return (
    <BrowserRouter basename={basePath()}>
      <Shell {...props} />
    </BrowserRouter>
  )
}

/** The router hands out a new function with every move; the host port stays one object for the page's life. */
let move: NavigateFunction | undefined

function Shell({ config, composition, loader, children }: AppProps) {
  const navigate = useNavigate()
  useLayoutEffect(() => {
    move = navigate
  }, [navigate])
  const host = useMemo(
    () =>
      createHost({
        config,
        move: (path, replace) => void move?.(path, { replace }),
        prefetch: loader.prefetch,
      }),
    [config, loader],
  )
  useEffect(() => followLinks(host.navigate), [host])
  const { pathname } = useLocation()
  const { subscribe, now } = loader.routes
  const { title, fullscreen = false } = useSyncExternalStore(subscribe, now, now)[plainPath(pathname)] ?? {}
  usePageChange(title)
  useSessionElsewhere(host, loader.routes)
  return (
    <>
      <OfflineBanner />
      <NewVersionBanner number={composition.number} onSwitchedOff={loader.switchOff} reload={host.reload} />
      {/* Around the layout: a page of another layout is left together with its layout. */}
      <LeavingBoundary onCrash={loader.leavingCrashed}>
        <Layout fullscreen={fullscreen}>{children(host)}</Layout>
      </LeavingBoundary>
      <RulesPopup supportUrl={config.supportUrl} />
      <Toasts />
    </>
  )
}
