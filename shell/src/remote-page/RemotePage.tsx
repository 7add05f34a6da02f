import type { Host } from '@anniversary/shared/contract/host'
import { shownMark } from '@anniversary/shared/contract/page-names'
import type { SkeletonKind } from '@anniversary/shared/contract/routes'
import { Button } from '@anniversary/shared/ui/Button'
import {
  Component,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useStore } from 'zustand'
import { firstPageTakeover } from '../first-load/replace-html.ts'
import { Crash, FailureCard } from '../layout/FailureCard.tsx'
import { focusMain, focusPageHeading } from '../layout/focus-page-heading.ts'
import { PageSkeleton } from '../layout/PageSkeleton.tsx'
import { lookForNewVersion, newVersionStore } from '../layout/watch-composition.ts'
import type { PageState, RemoteLoader } from '../loader/remote-loader.ts'
import { shellTexts as texts } from '../texts.ts'

interface RemotePageProps {
  readonly loader: RemoteLoader
  readonly remote: string
  readonly expose: string
  readonly host: Host
  readonly skeleton: SkeletonKind
}

export function RemotePage({ loader, remote, expose, host, skeleton }: RemotePageProps) {
  const current = () => loader.state(remote, expose)
  const state = useSyncExternalStore(loader.subscribe, current, current)
  useEffect(() => {
    void loader.load(remote, expose)
    return () => loader.leave(remote, expose)
  }, [loader, remote, expose])

  switch (state.status) {
    case 'loading':
      return <PageSkeleton kind={skeleton} />
    case 'failed':
      return (
        <FailedPage
          reason={state.reason}
          host={host}
          onRetry={() => {
            focusMain()
            loader.retry(remote, expose)
          }}
        />
      )
    case 'ready':
      return (
        <ReadyPage
          remote={remote}
          state={state}
          host={host}
          skeleton={skeleton}
          onFailure={(phase, error) => loader.markFailed(remote, expose, phase, error)}
        />
      )
  }
}

interface FailedPageProps {
  readonly reason: Extract<PageState, { status: 'failed' }>['reason']
  readonly host: Host
  onRetry(): void
}

function FailedPage({ reason, host, onRetry }: FailedPageProps) {
  const { isNewer } = useStore(newVersionStore)
  useEffect(() => {
    firstPageTakeover.release()
    lookForNewVersion()
  }, [])

  const { failedTitle, failedText, replacedText, offTitle, offText } = texts.remote
  if (reason === 'off') return <FailureCard title={offTitle} text={offText} />
  if (reason === 'crashed') return <Crash onRetry={onRetry} />
  // Retrying cannot load a release that was removed.
  return (
    <FailureCard title={failedTitle} text={isNewer ? replacedText : failedText}>
      {isNewer && <Button onClick={host.reload}>{texts.newVersion.reload}</Button>}
      <Button variant={isNewer ? 'secondary' : 'primary'} onClick={onRetry}>
        {texts.retry}
      </Button>
    </FailureCard>
  )
}

interface ReadyPageProps extends Pick<RemotePageProps, 'remote' | 'host' | 'skeleton'> {
  readonly state: Extract<PageState, { status: 'ready' }>
  onFailure(phase: 'deadline' | 'render', error: unknown): void
}

/**
 * Has its own Suspense, or a page that suspends for ever would blank the whole
 * app. A prerendered page has none, because React hydrates a boundary's content
 * last.
 */
function ReadyPage({ remote, state, host, skeleton, onFailure }: ReadyPageProps) {
  const { Page, release, timeLeft } = state
  const [hydrates] = useState(() => firstPageTakeover.renderedBy() === release.entry)
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
    firstPageTakeover.finish()
    if (document.activeElement?.localName === 'main') focusPageHeading()
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

interface CrashBoundaryProps {
  readonly children: ReactNode
  onCrash(error: unknown): void
  /**
   * Replaces what crashed; default: the specification's crash text (section 8).
   */
  readonly fallback?: ReactNode
}

export class CrashBoundary extends Component<CrashBoundaryProps, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override componentDidCatch(error: unknown) {
    this.props.onCrash(error)
  }

  override render() {
    const { children, fallback = <Crash /> } = this.props
    if (this.state.crashed) return fallback
    return children
  }
}
