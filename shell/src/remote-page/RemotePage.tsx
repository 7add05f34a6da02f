import type { Host } from '@anniversary/shared/contract/host'
import type { SkeletonKind } from '@anniversary/shared/contract/routes'
import { Button } from '@anniversary/shared/ui/Button'
import { Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { Crash } from '../layout/Crash.tsx'
import { FailureCard } from '../layout/FailureCard.tsx'
import { PageSkeleton } from '../layout/PageSkeleton.tsx'
import { takeOver } from '../loader/prerendered-page.ts'
import type { PageState, RemoteLoader } from '../loader/remote-loader.ts'
import { texts } from '../texts.ts'
import { CrashBoundary } from './CrashBoundary.tsx'

interface RemotePageProps {
  readonly loader: RemoteLoader
  readonly remote: string
  readonly expose: string
  readonly host: Host
  readonly skeleton: SkeletonKind
}

/** A remote's page: its skeleton while it loads, then the page, or a card with a retry that needs no reload. */
export function RemotePage({ loader, remote, expose, host, skeleton }: RemotePageProps) {
  const current = () => loader.state(remote, expose)
  const state = useSyncExternalStore(loader.subscribe, current, current)
  const retry = () => loader.retry(remote, expose)
  const { status } = state
  // Its HTML is gone, and a card's button must not wait for its code.
  useEffect(() => {
    if (status === 'failed') takeOver()
  }, [status])
  useEffect(() => () => loader.leave(remote, expose), [loader, remote, expose])

  if (state.status === 'loading') return <PageSkeleton kind={skeleton} />
  if (state.status === 'failed') {
    if (state.reason === 'off')
      return <FailureCard title={texts.remote.offTitle} text={texts.remote.offText} />
    if (state.reason === 'crashed') return <Crash onRetry={retry} />
    return (
      <FailureCard title={texts.remote.failedTitle} text={texts.remote.failedText}>
        <Button onClick={retry}>{texts.retry}</Button>
      </FailureCard>
    )
  }
  return (
    <ReadyPage
      remote={remote}
      state={state}
      host={host}
      skeleton={skeleton}
      onFailure={(phase, error) => loader.takeAway(remote, expose, phase, error)}
    />
  )
}

interface ReadyPageProps extends Pick<RemotePageProps, 'remote' | 'host' | 'skeleton'> {
  readonly state: Extract<PageState, { status: 'ready' }>
  readonly onFailure: (phase: 'deadline' | 'render', error: unknown) => void
}

/**
 * Without its own Suspense, a page that suspends for ever would blank the whole app. It delays no page that does not
 * suspend: React holds back only fallbacks, for 300 ms.
 */
function ReadyPage({ remote, state, host, skeleton, onFailure }: ReadyPageProps) {
  const { Page, release, left } = state
  const shown = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one deadline a mount; onFailure is a new function each time
  useEffect(() => {
    if (shown.current) return
    const onLate = () =>
      shown.current || onFailure('deadline', new Error('loaded, but did not render in time'))
    const late = setTimeout(onLate, left)
    return () => clearTimeout(late)
  }, [left])
  const onShown = () => {
    shown.current = true
    // The press on the prerendered HTML happens now.
    takeOver()
    // For measurements, and for the smoke test of `deploy`; jsdom has no marks.
    performance.mark?.(`remote:${remote}:shown`, { detail: release.version })
  }
  return (
    <CrashBoundary onCrash={(error) => onFailure('render', error)} fallback={null}>
      <Suspense fallback={<PageSkeleton kind={skeleton} />}>
        <Page host={host} />
        <Shown onShown={onShown} />
      </Suspense>
    </CrashBoundary>
  )
}

/** Calls it once the page beside it has rendered. */
function Shown({ onShown }: { onShown(): void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a mount; onShown is a new function each time
  useEffect(onShown, [])
  return null
}
