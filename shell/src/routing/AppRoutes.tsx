import type { Host } from '@anniversary/shared/contract/host'
import { skeletonOf } from '@anniversary/shared/contract/routes'
import { useSyncExternalStore } from 'react'
import { Landing } from '../landing/Landing.tsx'
import type { Loader } from '../loader/loader.ts'
import type { RemoteLoader } from '../loader/remote-loader.ts'
import { RemotePage } from '../remote-page/RemotePage.tsx'
import { Protected } from './Protected.tsx'
import { UnknownPath } from './UnknownPath.tsx'

interface AppRoutesProps {
  readonly path: string
  readonly host: Host
  readonly loader: RemoteLoader & Pick<Loader, 'routes'>
}

/** The page of a path: the landing page is the shell's own, every other one a remote's. */
export function AppRoutes({ path, host, loader }: AppRoutesProps) {
  const { subscribe, now } = loader.routes
  const route = useSyncExternalStore(subscribe, now, now)[path]
  if (!route) return <UnknownPath routes={loader.routes} />
  const { remote } = route
  if (!remote) return <Landing host={host} />
  // The key keeps one route's state and crash from showing on another.
  const page = (
    <RemotePage
      key={path}
      remote={remote.name}
      expose={remote.expose}
      host={host}
      loader={loader}
      skeleton={skeletonOf(route)}
    />
  )
  return route.protected ? (
    <Protected key={path} path={path}>
      {page}
    </Protected>
  ) : (
    page
  )
}
