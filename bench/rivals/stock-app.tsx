import '../../shell/src/layout/base.css'
import { paths } from '@anniversary/shared/contract/paths'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import {
  BrowserRouter,
  Navigate,
  Outlet,
  Route,
  Routes,
  useLocation,
  useNavigate,
} from 'react-router-dom'
import { createHost } from '../../shell/src/host/create-host.ts'
import { Landing } from '../../shell/src/landing/Landing.tsx'
import { Layout } from '../../shell/src/layout/Layout.tsx'
import { PageSkeleton } from '../../shell/src/layout/PageSkeleton.tsx'
import { CrashBoundary } from '../../shell/src/remote-page/RemotePage.tsx'
import { followLinks } from '../../shell/src/routing/follow-links.ts'
import type { Move } from '../../shell/src/routing/router.ts'
import { RulesPopup } from '../../shell/src/rules/RulesPopup.tsx'
import { sessionStore } from '../../shell/src/session/session-store.ts'
import { Toasts } from '../../shell/src/toasts/Toasts.tsx'

/*
 * The app as upstream's examples write it: `React.lazy` and `Suspense` for the
 * pages of remotes, react-router-dom, and an error boundary around the pages.
 * The pages and the layout are the site's own.
 */

const MegalivePage = lazy(() => import('mf_megalive/MegalivePage'))
const LoginPage = lazy(() => import('mf_auth/LoginPage'))
const CheckPage = lazy(() => import('mf_auth/CheckPage'))
const HomePage = lazy(() => import('mf_missions/HomePage'))
const HistoryPage = lazy(() => import('mf_history/HistoryPage'))

const CONFIG = {
  apiBase: '/api',
  site: 'ANNIVERSARY',
  shareHost: 'facebook.com',
  megaliveUrl: '/megalive-sample.html',
}

function App() {
  const navigate = useNavigate()
  const move = useCallback<Move>(
    (path, replace) => {
      void navigate(path, { replace })
      return true
    },
    [navigate],
  )
  const host = useMemo(() => createHost({ config: CONFIG, preload: () => undefined, move }), [move])
  useEffect(() => followLinks((path) => move(path, false)), [move])
  return (
    <>
      <Routes>
        <Route element={<Frame fullscreen />}>
          <Route path={paths.landing} element={<Landing host={host} />} />
          <Route path={paths.megalive} element={<MegalivePage host={host} />} />
        </Route>
        <Route element={<Frame />}>
          <Route path={paths.login} element={<LoginPage host={host} />} />
          <Route path={paths.check} element={<CheckPage host={host} />} />
          <Route path={paths.home} element={<ForMembers page={<HomePage host={host} />} />} />
          <Route
            path={paths.histories}
            element={<ForMembers page={<HistoryPage host={host} />} />}
          />
        </Route>
        <Route path="*" element={<Navigate to={paths.landing} replace />} />
      </Routes>
      <RulesPopup />
      <Toasts />
    </>
  )
}

function Frame({ fullscreen = false }) {
  const { pathname } = useLocation()
  return (
    <Layout fullscreen={fullscreen}>
      <CrashBoundary key={pathname} onCrash={console.error}>
        <Suspense fallback={<PageSkeleton kind={fullscreen ? 'fullscreen' : 'form'} />}>
          <Outlet />
        </Suspense>
      </CrashBoundary>
    </Layout>
  )
}

const ForMembers = ({ page }: { page: ReactNode }) =>
  sessionStore.getState().session ? page : <Navigate to={paths.login} replace />

export function renderStock(): void {
  const root = document.getElementById('root') as HTMLElement // in stock.html
  createRoot(root).render(
    <BrowserRouter>
      <App />
    </BrowserRouter>,
  )
}
