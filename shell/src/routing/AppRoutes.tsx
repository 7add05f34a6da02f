import type { Host } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import type { ReactNode } from 'react'
import { Link, Navigate, Route, Routes } from 'react-router-dom'
import { Landing } from '../landing/Landing.tsx'
import type { RemoteLoader } from '../loader/remote-loader.ts'
import { RemotePage } from '../remote-page/RemotePage.tsx'
import { remoteRouteAt, routeTable, skeletonAt } from '../route-table.ts'
import { Protected } from './Protected.tsx'

interface AppRoutesProps {
  readonly host: Host
  readonly loader: RemoteLoader
}

/** The specification's routes: the landing page is the shell's own, every other one a remote's page. */
export function AppRoutes({ host, loader }: AppRoutesProps) {
  const page = (path: string): ReactNode => {
    const route = remoteRouteAt(path)
    if (!route) return <Landing Link={Link} />
    // The key keeps one route's crash from showing on another.
    return <RemotePage key={path} {...route} host={host} loader={loader} skeleton={skeletonAt(path)} />
  }
  return (
    <Routes>
      {Object.entries(routeTable).map(([path, route]) => (
        <Route
          key={path}
          path={path}
          element={route.protected ? <Protected path={path}>{page(path)}</Protected> : page(path)}
        />
      ))}
      <Route path="*" element={<Navigate to={paths.landing} replace />} />
    </Routes>
  )
}
