import { paths } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { useEffect, useSyncExternalStore } from 'react'
import { FailureCard } from '../layout/FailureCard.tsx'
import { PageSkeleton } from '../layout/PageSkeleton.tsx'
import type { Routes } from '../loader/page-composition.ts'
import { texts } from '../texts.ts'
import { move } from './router.ts'

/** A path that the page does not carry: once all routes are known it either has a page or leads to the landing page. */
export function UnknownPath({ routes: { status, subscribe, load } }: { routes: Routes }) {
  const known = useSyncExternalStore(subscribe, status, status)
  const loadAll = () => void load().catch(() => undefined)
  useEffect(() => {
    if (known === 'all') move(paths.landing, true)
    else if (known === 'some') load().catch(() => undefined)
  }, [known, load])
  return known !== 'failed' ? (
    <PageSkeleton />
  ) : (
    <FailureCard title={texts.remote.failedTitle} text={texts.remote.failedText}>
      <Button onClick={loadAll}>{texts.retry}</Button>
    </FailureCard>
  )
}
