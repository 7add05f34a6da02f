import { useState } from 'react'
import { Link } from 'react-router-dom'
import { PageSkeleton } from '../layout/PageSkeleton.tsx'
import { RemoteCard } from '../layout/RemoteCard.tsx'
import { lazyModule, useLazyModule } from '../lazy-module.ts'
import { texts } from '../texts.ts'

/** The landing page's artwork and code are of no use to the other routes, so they load with this one. */
export const landing = lazyModule(() => import(/* webpackChunkName: "landing" */ '../landing/Landing.tsx'))

export function LandingRoute() {
  const [attempt, setAttempt] = useState(0)
  return <LandingAttempt key={attempt} onRetry={() => setAttempt(attempt + 1)} />
}

function LandingAttempt({ onRetry }: { onRetry: () => void }) {
  const [failed, setFailed] = useState(false)
  const loaded = useLazyModule(landing, () => setFailed(true))
  if (loaded) return <loaded.Landing Link={Link} />
  if (failed)
    return <RemoteCard title={texts.remote.failedTitle} text={texts.remote.failedText} onRetry={onRetry} />
  return <PageSkeleton kind="cover" />
}
