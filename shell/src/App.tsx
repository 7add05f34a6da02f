import { paths } from '@anniversary/shared/contract/paths'
import { useEffect, useState } from 'react'
import { createHost } from './host/create-host.ts'
import { Banners } from './layout/Banner.tsx'
import { BusyBanner } from './layout/BusyBanner.tsx'
import { NewVersionBanner } from './layout/NewVersionBanner.tsx'
import { OfflineBanner } from './layout/OfflineBanner.tsx'
import { routePath } from './loader/base-path.ts'
import type { Loader } from './loader/loader.ts'
import type { CompositionPort } from './loader/page-composition.ts'
import { CrashBoundary } from './remote-page/RemotePage.tsx'
import { followLinks } from './routing/follow-links.ts'
import { AppPages } from './routing/pages.tsx'
import { canMoveInPage, moveToRoute } from './routing/router.ts'
import { RulesNotice, RulesPopup } from './rules/RulesPopup.tsx'
import { watchSession } from './session/session-store.ts'
import { shellTexts as texts } from './texts.ts'
import { Toasts } from './toasts/Toasts.tsx'

interface AppProps {
  readonly loader: Pick<Loader, 'config' | 'pages'> & {
    readonly composition: Pick<CompositionPort, 'notice' | 'number' | 'routes'>
    readonly reports: Pick<Loader['reports'], 'add'>
  }
}

export function App({ loader }: AppProps) {
  const { config, composition, pages, reports } = loader
  const [host] = useState(() => createHost({ config, preload: pages.preload, move: moveToRoute }))

  useEffect(
    () =>
      followLinks((path) => {
        if (canMoveInPage()) host.navigate(path)
        return canMoveInPage()
      }),
    [host],
  )
  useEffect(
    () =>
      watchSession((session) => {
        if (!composition.routes.now()[routePath()]?.protected) return
        if (session) {
          host.reload()
          return
        }
        host.notify.info(texts.loggedOut)
        host.navigate(paths.login, { replace: true })
      }),
    [host, composition],
  )

  const page = <AppPages host={host} loader={loader} />
  return (
    <>
      <Banners>
        <BusyBanner />
        <OfflineBanner />
        <RulesNotice />
        <NewVersionBanner page={composition} onSwitchedOff={pages.switchOff} />
      </Banners>
      {/* It gets the errors of a page that unmounts, which must not affect the next page. */}
      <CrashBoundary onCrash={(error) => reports.add({ phase: 'render', error })} fallback={page}>
        {page}
      </CrashBoundary>
      <RulesPopup supportUrl={config.supportUrl} />
      <Toasts />
    </>
  )
}
