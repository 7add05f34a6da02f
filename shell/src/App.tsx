import type { PublicConfig } from '@anniversary/shared/contract/config'
import type { AppPath, Host } from '@anniversary/shared/contract/host'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { BrowserRouter, useLocation, useNavigate } from 'react-router-dom'
import { useStore } from 'zustand'
import { createHost } from './host/create-host.ts'
import { Layout } from './layout/Layout.tsx'
import { OfflineBanner } from './layout/OfflineBanner.tsx'
import { basePath } from './loader/base-path.ts'
import { NewVersionBanner } from './new-version/NewVersionBanner.tsx'
import { LeavingBoundary } from './remote-page/CrashBoundary.tsx'
import type { Routes } from './route-table.ts'
import { usePageChange } from './routing/use-page-change.ts'
import { useRoutes } from './routing/use-routes.ts'
import { useSessionElsewhere } from './routing/use-session-elsewhere.ts'
import { openRules, RulesPopup } from './rules/RulesPopup.tsx'
import type { KeptToast } from './toasts/kept-toasts.ts'
import { Toasts } from './toasts/Toasts.tsx'
import { closeToast, showToast, toastStore } from './toasts/toast-store.ts'

interface AppProps {
  readonly config: PublicConfig
  /** Number of the composition that the page runs; without one (an app that is not composed) no newer one is offered. */
  readonly compositionNumber?: number
  /** Called with the remotes that are switched off, as long as the page is open. */
  readonly onSwitchedOff?: (remotes: ReadonlySet<string>) => void
  readonly routes: Routes
  /** Fetches the files of a path's page. */
  readonly prefetch: (path: AppPath) => void
  /** Called when a page threw while it was left. */
  readonly onLeavingCrash: (error: unknown) => void
  /** Toasts queued by the previous page. */
  readonly keptToasts?: readonly KeptToast[]
  /** The pages of the routes, which get the host port. */
  readonly children: (host: Host) => ReactNode
}

export function App(props: AppProps) {
  return (
    <BrowserRouter basename={basePath()}>
      <Shell {...props} />
    </BrowserRouter>
  )
}

function Shell({
  config,
  compositionNumber,
  onSwitchedOff,
  routes,
  prefetch,
  onLeavingCrash,
  keptToasts,
  children,
}: AppProps) {
  // The router hands out a new function with every move; the host port stays one object for the page's life.
  const navigate = useNavigate()
  const move = useRef(navigate)
  move.current = navigate
  const { host, claims } = useMemo(
    () =>
      createHost({
        config,
        move: (path, replace) => void move.current(path, { replace }),
        openRules,
        prefetch,
      }),
    [config, prefetch],
  )
  const { pathname } = useLocation()
  const { title, fullscreen = false } = useRoutes(routes)[pathname] ?? {}
  usePageChange(title)
  useSessionElsewhere(host, routes)
  // After the first render: a toast's time begins when it can be seen.
  useEffect(() => {
    for (const { kind, text } of keptToasts ?? []) showToast(kind, text)
  }, [keptToasts])
  return (
    <>
      <OfflineBanner />
      {compositionNumber !== undefined && (
        <NewVersionBanner
          number={compositionNumber}
          onSwitchedOff={onSwitchedOff}
          claims={claims}
          reload={host.reload}
        />
      )}
      {/* Around the layout: a page of another layout is left together with its layout. */}
      <LeavingBoundary onCrash={onLeavingCrash}>
        <Layout fullscreen={fullscreen}>{children(host)}</Layout>
      </LeavingBoundary>
      <RulesPopup supportUrl={config.supportUrl} />
      <PageToasts />
    </>
  )
}

/** A component of its own, so that a toast renders no page again. */
function PageToasts() {
  const toasts = useStore(toastStore, (state) => state.toasts)
  return <Toasts toasts={toasts} onClose={closeToast} />
}
