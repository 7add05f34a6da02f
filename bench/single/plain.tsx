import '../../shell/src/layout/base.css'
import '../../shell/src/layout/webfont.css'
import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { Link, Navigate, Route, Routes } from 'react-router-dom'
import { App } from '../../shell/src/App.tsx'
import { Landing } from '../../shell/src/landing/Landing.tsx'
import { PageSkeleton } from '../../shell/src/layout/PageSkeleton.tsx'
import { readPageData } from '../../shell/src/loader/page-data.ts'
import { CrashBoundary } from '../../shell/src/remote-page/CrashBoundary.tsx'
import { Protected } from '../../shell/src/routing/Protected.tsx'
import { routes } from './routes.ts'

/** The app as teams usually ship it: one bundle, React.lazy routes under one Suspense. */
const MegalivePage = lazy(() => import('../../mf-megalive/src/MegalivePage.tsx'))
const LoginPage = lazy(() => import('../../mf-auth/src/LoginPage.tsx'))
const CheckPage = lazy(() => import('../../mf-auth/src/CheckPage.tsx'))
const HomePage = lazy(() => import('../../mf-missions/src/HomePage.tsx'))
const HistoryPage = lazy(() => import('../../mf-history/src/HistoryPage.tsx'))

createRoot(document.getElementById('root') as HTMLElement).render(
  // `deploy` writes it
  <CrashBoundary onCrash={console.error}>
    <App
      config={readPageData().config}
      routes={routes}
      prefetch={() => undefined}
      onLeavingCrash={console.error}
    >
      {(host) => (
        <Suspense fallback={<PageSkeleton />}>
          <Routes>
            <Route path="/" element={<Landing Link={Link} />} />
            <Route path="/megalive" element={<MegalivePage host={host} />} />
            <Route path="/login" element={<LoginPage host={host} />} />
            <Route path="/check" element={<CheckPage host={host} />} />
            <Route
              path="/home"
              element={
                <Protected path="/home">
                  <HomePage host={host} />
                </Protected>
              }
            />
            <Route
              path="/histories"
              element={
                <Protected path="/histories">
                  <HistoryPage host={host} />
                </Protected>
              }
            />
            <Route path="*" element={<Navigate to="/" replace />} />
          </Routes>
        </Suspense>
      )}
    </App>
  </CrashBoundary>,
)
