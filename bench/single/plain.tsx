import '../../shell/src/layout/base.css'
import '../../shell/src/layout/webfont.css'
import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { Navigate, Route, Routes } from 'react-router-dom'
import { App } from '../../shell/src/App.tsx'
import { Landing } from '../../shell/src/landing/Landing.tsx'
import { PageSkeleton } from '../../shell/src/layout/PageSkeleton.tsx'
import { readPageData } from '../../shell/src/loader/page-data.ts'
import { CrashBoundary } from '../../shell/src/remote-page/CrashBoundary.tsx'
import { Protected } from '../../shell/src/routing/Protected.tsx'
import { pages } from './pages.ts'
import { routes, unused } from './routes.ts'

/** The app as teams usually ship it: one bundle, React.lazy routes under one Suspense. */
const lazyPages = Object.entries(routes.now()).flatMap(([path, { remote, ...route }]) => {
  const load = pages[remote?.expose ?? '']
  return load ? [{ path, isProtected: route.protected, Page: lazy(load) }] : []
})

createRoot(document.getElementById('root') as HTMLElement).render(
  // `deploy` writes it
  <CrashBoundary onCrash={console.error}>
    <App {...readPageData()} loader={{ ...unused, routes }}>
      {(host) => (
        <Suspense fallback={<PageSkeleton />}>
          <Routes>
            <Route path="/" element={<Landing />} />
            {lazyPages.map(({ path, isProtected, Page }) => {
              const page = <Page host={host} />
              const element = isProtected ? <Protected path={path}>{page}</Protected> : page
              return <Route key={path} path={path} element={element} />
            })}
            <Route path="*" element={<Navigate to="/" replace />} />
          </Routes>
        </Suspense>
      )}
    </App>
  </CrashBoundary>,
)
