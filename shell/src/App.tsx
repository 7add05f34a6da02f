import type { Host } from '@anniversary/shared/contract/host'
import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react'
import { createHost } from './host/create-host.ts'
import { Banners } from './layout/Banner.tsx'
import { Layout } from './layout/Layout.tsx'
import { OfflineBanner } from './layout/OfflineBanner.tsx'
import type { Loader } from './loader/loader.ts'
import type { PageData } from './loader/page-data.ts'
import { NewVersionBanner } from './new-version/NewVersionBanner.tsx'
import { LeavingBoundary } from './remote-page/CrashBoundary.tsx'
import { followLinks } from './routing/follow-links.ts'
import { move, usePath } from './routing/router.ts'
import { usePageChange } from './routing/use-page-change.ts'
import { useSessionElsewhere } from './routing/use-session-elsewhere.ts'
import { RulesPopup } from './rules/RulesPopup.tsx'
import { Toasts } from './toasts/Toasts.tsx'

interface AppProps extends PageData {
  readonly loader: Pick<Loader, 'routes' | 'prefetch' | 'switchOff' | 'leavingCrashed'>
  readonly children: (host: Host, path: string) => ReactNode
}

export function App({ config, composition, loader, children }: AppProps) {
  const host = useMemo(() => createHost({ config, move, prefetch: loader.prefetch }), [config, loader])
  useEffect(() => followLinks(host.navigate), [host])
  const path = usePath()
  const { subscribe, now } = loader.routes
  const { title, fullscreen = false } = useSyncExternalStore(subscribe, now, now)[path] ?? {}
  usePageChange(path, title)
  useSessionElsewhere(host, loader.routes)
  return (
    <>
      <Banners>
        <OfflineBanner />
        <NewVersionBanner number={composition.number} onSwitchedOff={loader.switchOff} reload={host.reload} />
      </Banners>
      {/* Around the layout: a page of another layout is left together with its layout. */}
      <LeavingBoundary onCrash={loader.leavingCrashed}>
        <Layout fullscreen={fullscreen}>{children(host, path)}</Layout>
      </LeavingBoundary>
      <RulesPopup supportUrl={config.supportUrl} />
      <Toasts />
    </>
  )
}
