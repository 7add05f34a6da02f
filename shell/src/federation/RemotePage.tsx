import type { Host } from '@anniversary/shared/contract/host'
import { useEffect, useSyncExternalStore } from 'react'
import { PageSkeleton, type PageSkeletonProps } from '../layout/PageSkeleton.tsx'
import { RemoteCard } from '../layout/RemoteCard.tsx'
import { texts } from '../texts.ts'
import { CrashBoundary } from './CrashBoundary.tsx'
import type { RemoteLoader } from './remote-loader.ts'

interface RemotePageProps {
  readonly loader: RemoteLoader
  readonly remote: string
  readonly expose: string
  readonly host: Host
  readonly skeleton: NonNullable<PageSkeletonProps['kind']>
  readonly onCrash: (error: unknown, version: string) => void
}

/**
 * The place of a remote's page: its skeleton while it loads, itself, or a card with a retry that needs no reload.
 * No Suspense: React holds a fallback for 300 ms, which would cost what preloading has gained.
 */
export function RemotePage({ loader, remote, expose, host, skeleton, onCrash }: RemotePageProps) {
  const state = useSyncExternalStore(loader.subscribe, () => loader.state(remote, expose))
  if (state.status === 'loading') return <PageSkeleton kind={skeleton} />
  if (state.status === 'failed') {
    if (state.failure.reason === 'off')
      return <RemoteCard title={texts.remote.offTitle} text={texts.remote.offText} />
    return (
      <RemoteCard
        title={texts.remote.failedTitle}
        text={texts.remote.failedText}
        onRetry={() => loader.retry(remote, expose)}
      />
    )
  }
  const { Page, release } = state
  return (
    <CrashBoundary onCrash={(error) => onCrash(error, release.version)}>
      <Page host={host} />
      <Shown remote={remote} version={release.version} />
    </CrashBoundary>
  )
}

/** Marks the moment at which a remote's page stands, for measurements and for the smoke test of `deploy`. */
function Shown({ remote, version }: { remote: string; version: string }) {
  useEffect(() => {
    // jsdom has no marks.
    performance.mark?.(`remote:${remote}:shown`, { detail: version })
  }, [remote, version])
  return null
}
