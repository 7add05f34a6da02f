import { paths } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { useEffect, useSyncExternalStore } from 'react'
import { Navigate } from 'react-router-dom'
import { FailureCard } from '../layout/FailureCard.tsx'
import { PageSkeleton } from '../layout/PageSkeleton.tsx'
import type { Routes } from '../loader/page-composition.ts'
import { texts } from '../texts.ts'

/** A path that the page does not carry: once all routes are known it either has a page or leads to the landing page. */
export function UnknownPath({ routes: { status, subscribe, load } }: { routes: Routes }) {
  const known = useSyncExternalStore(subscribe, status, status)
  const loadAll = () => void load().catch(() => undefined)
  useEffect(() => void load().catch(() => undefined), [load])
  if (known === 'all') return <Navigate to={paths.landing} replace />
  if (known === 'some') return <PageSkeleton />
  return (
    <FailureCard title={texts.remote.failedTitle} text={texts.remote.failedText}>
      <Button onClick={loadAll}>{texts.retry}</Button>
    </FailureCard>
  )
}
