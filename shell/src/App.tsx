import type { PublicConfig } from '@anniversary/shared/contract/config'
import type { AppPath } from '@anniversary/shared/contract/paths'
import { useMemo, useRef } from 'react'
import { BrowserRouter, useLocation, useNavigate } from 'react-router-dom'
import { useStore } from 'zustand'
import { createHost } from './create-host.ts'
import type { RemoteLoader } from './federation/remote-loader.ts'
import { Layout } from './layout/Layout.tsx'
import { AppRoutes } from './routing/AppRoutes.tsx'
import { routeTable } from './routing/route-table.ts'
import { usePageChange } from './routing/use-page-change.ts'
import { useSessionElsewhere } from './routing/use-session-elsewhere.ts'
import { openRules, RulesPopup } from './rules/RulesPopup.tsx'
import { Toasts } from './toasts/Toasts.tsx'
import { closeToast, toastStore } from './toasts/toast-store.ts'

interface AppProps {
  readonly config: PublicConfig
  readonly loader: RemoteLoader
}

export function App(props: AppProps) {
  return (
    <BrowserRouter>
      <Shell {...props} />
    </BrowserRouter>
  )
}

function Shell({ config, loader }: AppProps) {
  // The router hands out a new function with every move; the host port stays one object for the page's life.
  const navigate = useNavigate()
  const move = useRef(navigate)
  move.current = navigate
  const host = useMemo(
    () =>
      createHost({
        config,
        move: (path: AppPath, replace: boolean) => void move.current(path, { replace }),
        openRules,
      }),
    [config],
  )
  usePageChange()
  useSessionElsewhere(host)
  const { pathname } = useLocation()
  const toasts = useStore(toastStore, (state) => state.toasts)
  return (
    <>
      <Layout cover={routeTable[pathname]?.cover ?? false}>
        <AppRoutes host={host} loader={loader} />
      </Layout>
      <RulesPopup supportUrl={config.supportUrl} />
      <Toasts toasts={toasts} onClose={closeToast} />
    </>
  )
}
