import type { Host } from '@anniversary/shared/contract/host'
import { shownMark } from '@anniversary/shared/contract/page-names'
import type { SkeletonKind } from '@anniversary/shared/contract/routes'
import { Button } from '@anniversary/shared/ui/Button'
import { Suspense, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import { Crash, FailureCard } from '../layout/FailureCard.tsx'
import { PageSkeleton } from '../layout/PageSkeleton.tsx'
import { lookAgain, newVersion } from '../layout/watch-composition.ts'
import { releasePresses, renderedBy } from '../loader/prerendered-page.ts'
import type { PageState, RemoteLoader } from '../loader/remote-loader.ts'
import { focusPage } from '../routing/use-page-change.ts'
import { texts } from '../texts.ts'
import { CrashBoundary } from './CrashBoundary.tsx'

interface RemotePageProps {
  readonly loader: RemoteLoader
  readonly remote: string
  readonly expose: string
  readonly host: Host
  readonly skeleton: SkeletonKind
  readonly restoreInput?: (() => void) | undefined
}

/** A remote's page: a skeleton while it loads, then the page, or a card with a retry that needs no reload. */
export function RemotePage({
  loader,
  remote,
  expose,
  host,
  skeleton,
  restoreInput,
}: RemotePageProps) {
  const current = () => loader.state(remote, expose)
  const state = useSyncExternalStore(loader.subscribe, current, current)
  const retry = () => loader.retry(remote, expose)
  const { status } = state
  const { isNewer } = useStore(newVersion)
  useEffect(() => {
    if (status !== 'failed') return
    releasePresses()
    lookAgain()
  }, [status])
  useEffect(() => {
    void loader.load(remote, expose)
    return () => loader.leave(remote, expose)
  }, [loader, remote, expose])

  if (state.status === 'loading') return <PageSkeleton kind={skeleton} />
  if (state.status === 'failed') {
    if (state.reason === 'off')
      return <FailureCard title={texts.remote.offTitle} text={texts.remote.offText} />
    if (state.reason === 'crashed') return <Crash onRetry={retry} />
    // Retrying cannot load a release that was removed.
    const { failedTitle, failedText, replacedText } = texts.remote
    return (
      <FailureCard title={failedTitle} text={isNewer ? replacedText : failedText}>
        {isNewer && <Button onClick={host.reload}>{texts.newVersion.reload}</Button>}
        <Button variant={isNewer ? 'secondary' : 'primary'} onClick={retry}>
          {texts.retry}
        </Button>
      </FailureCard>
    )
  }
  return (
    <ReadyPage
      remote={remote}
      state={state}
      host={host}
      skeleton={skeleton}
      restoreInput={restoreInput}
      onFailure={(phase, error) => loader.markFailed(remote, expose, phase, error)}
    />
  )
}

interface ReadyPageProps
  extends Pick<RemotePageProps, 'remote' | 'host' | 'skeleton' | 'restoreInput'> {
  readonly state: Extract<PageState, { status: 'ready' }>
  readonly onFailure: (phase: 'deadline' | 'render', error: unknown) => void
}

/**
 * Has its own Suspense, or a page that suspends for ever would blank the whole app. A prerendered page has none, because React
 * hydrates a boundary's content last.
 */
function ReadyPage({ remote, state, host, skeleton, restoreInput, onFailure }: ReadyPageProps) {
  const { Page, release, timeLeft } = state
  const [hydrates] = useState(() => renderedBy() === release.entry)
  const shown = useRef(false)
  const failUnlessShown = useEffectEvent(() => {
    if (!shown.current) onFailure('deadline', new Error('loaded, but did not render in time'))
  })
  useEffect(() => {
    const late = setTimeout(() => failUnlessShown(), timeLeft)
    return () => clearTimeout(late)
  }, [timeLeft])
  const onShown = () => {
    shown.current = true
    releasePresses()
    restoreInput?.()
    if (document.activeElement?.localName === 'main') focusPage()
    // For measurements, and for the smoke test of `deploy`; jsdom has no marks.
    performance.mark?.(shownMark(remote), { detail: release.version })
  }
  const page = (
    <>
      <Page host={host} />
      <Shown onShown={onShown} />
    </>
  )
  return (
    <CrashBoundary onCrash={(error) => onFailure('render', error)} fallback={null}>
      {hydrates ? page : <Suspense fallback={<PageSkeleton kind={skeleton} />}>{page}</Suspense>}
    </CrashBoundary>
  )
}

function Shown({ onShown }: { onShown(): void }) {
  const announce = useEffectEvent(onShown)
  useEffect(() => announce(), [])
  return null
}
