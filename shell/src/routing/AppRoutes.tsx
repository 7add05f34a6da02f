import type { Host } from '@anniversary/shared/contract/host'
import { skeletonOf } from '@anniversary/shared/contract/routes'
import { useSyncExternalStore } from 'react'
import { Route, Routes as RouterRoutes } from 'react-router-dom'
import { Landing } from '../landing/Landing.tsx'
import type { Loader } from '../loader/loader.ts'
import type { RemoteLoader } from '../loader/remote-loader.ts'
import { RemotePage } from '../remote-page/RemotePage.tsx'
import { Protected } from './Protected.tsx'
import { UnknownPath } from './UnknownPath.tsx'

interface AppRoutesProps {
  readonly host: Host
  readonly loader: RemoteLoader & Pick<Loader, 'routes'>
}

/** The site's routes: the landing page is the shell's own, every other one a remote's page. */
export function AppRoutes({ host, loader }: AppRoutesProps) {
  const { subscribe, now } = loader.routes
  const routes = useSyncExternalStore(subscribe, now, now)
  return (
    <RouterRoutes>
      {Object.entries(routes).map(([path, route]) => {
        const { remote } = route
        const page = remote ? (
          // The key keeps one route's crash from showing on another.
          <RemotePage
            key={path}
            remote={remote.name}
            expose={remote.expose}
            host={host}
            loader={loader}
            skeleton={skeletonOf(route)}
          />
        ) : (
          <Landing />
        )
        const element = route.protected ? <Protected path={path}>{page}</Protected> : page
        return <Route key={path} path={path} element={element} />
      })}
      <Route path="*" element={<UnknownPath routes={loader.routes} />} />
    </RouterRoutes>
  )
}
