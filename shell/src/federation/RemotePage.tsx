import type { Host } from '@anniversary/shared/contract/host'
import { Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { Crash } from '../layout/Crash.tsx'
import { PageSkeleton, type PageSkeletonProps } from '../layout/PageSkeleton.tsx'
import { RemoteCard } from '../layout/RemoteCard.tsx'
import { texts } from '../texts.ts'
import { CrashBoundary } from './CrashBoundary.tsx'
import { RemoteLoadError } from './load-error.ts'
import type { RemoteLoader, RemoteState } from './remote-loader.ts'

interface RemotePageProps {
  readonly loader: RemoteLoader
  readonly remote: string
  readonly expose: string
  readonly host: Host
  readonly skeleton: NonNullable<PageSkeletonProps['kind']>
  /** Called when the page threw while rendering or in an effect, or has not rendered in time. */
  readonly onCrash: (error: unknown, version: string) => void
}

/** The place of a remote's page: its skeleton while it loads, itself, or a card with a retry that needs no reload. */
export function RemotePage({ loader, remote, expose, host, skeleton, onCrash }: RemotePageProps) {
  const state = useSyncExternalStore(loader.subscribe, () => loader.state(remote, expose))
  const retry = () => loader.retry(remote, expose)
  useEffect(() => () => loader.leave(remote, expose), [loader, remote, expose])

  if (state.status === 'loading') return <PageSkeleton kind={skeleton} />
  if (state.status === 'failed') {
    if (state.reason === 'off')
      return <RemoteCard title={texts.remote.offTitle} text={texts.remote.offText} />
    if (state.reason === 'crashed') return <Crash onRetry={retry} />
    return <RemoteCard title={texts.remote.failedTitle} text={texts.remote.failedText} onRetry={retry} />
  }
  const end = (reason: 'failed' | 'crashed', error: unknown) => {
    onCrash(error, state.release.version)
    loader.fail(remote, expose, reason)
  }
  return (
    <ReadyPage
      remote={remote}
      state={state}
      host={host}
      skeleton={skeleton}
      onCrash={(error) => end('crashed', error)}
      onLate={() => end('failed', new RemoteLoadError('deadline', 'loaded, but did not render in time'))}
    />
  )
}

interface ReadyPageProps extends Pick<RemotePageProps, 'remote' | 'host' | 'skeleton'> {
  readonly state: Extract<RemoteState, { status: 'ready' }>
  readonly onCrash: (error: unknown) => void
  readonly onLate: () => void
}

/**
 * Without a Suspense of its own, a page that waits for ever would blank the whole app. For a page that does not suspend
 * it costs nothing; React holds only fallbacks, for 300 ms.
 */
function ReadyPage({ remote, state, host, skeleton, onCrash, onLate }: ReadyPageProps) {
  const { Page, release, left } = state
  const shown = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one deadline a mount; onLate is a new function each time
  useEffect(() => {
    if (shown.current) return
    const late = setTimeout(() => shown.current || onLate(), left)
    return () => clearTimeout(late)
  }, [left])
  return (
    <CrashBoundary onCrash={onCrash} fallback={null}>
      <Suspense fallback={<PageSkeleton kind={skeleton} />}>
        <Page host={host} />
        <Shown remote={remote} version={release.version} mark={shown} />
      </Suspense>
    </CrashBoundary>
  )
}

interface ShownProps {
  readonly remote: string
  readonly version: string
  readonly mark: { current: boolean }
}

/**
 * Its effect runs when the page that it stands beside is on the screen. Leaves a mark of that moment, for measurements
 * and for the smoke test of `deploy`.
 */
function Shown({ remote, version, mark }: ShownProps) {
  useEffect(() => {
    mark.current = true
    // jsdom has no marks.
    performance.mark?.(`remote:${remote}:shown`, { detail: version })
  }, [remote, version, mark])
  return null
}
