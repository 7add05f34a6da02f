import { paths } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { useEffect, useState } from 'react'
import { Navigate } from 'react-router-dom'
import { FailureCard } from '../layout/FailureCard.tsx'
import { PageSkeleton } from '../layout/PageSkeleton.tsx'
import type { Routes } from '../route-table.ts'
import { texts } from '../texts.ts'

/** A path that the page does not carry: once all routes are known it either has a page or leads to the landing page. */
export function UnknownPath({ routes }: { routes: Routes }) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
  useEffect(() => {
    if (state !== 'loading') return
    routes.load().then(
      () => setState('loaded'),
      () => setState('failed'),
    )
  }, [routes, state])
  useEffect(() => {
    const retry = () => setState('loading')
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [])
  if (state === 'loading') return <PageSkeleton />
  if (state === 'loaded') return <Navigate to={paths.landing} replace />
  return (
    <FailureCard title={texts.remote.failedTitle} text={texts.remote.failedText}>
      <Button onClick={() => setState('loading')}>{texts.retry}</Button>
    </FailureCard>
  )
}
