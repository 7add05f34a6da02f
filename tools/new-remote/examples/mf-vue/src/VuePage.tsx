import type { PageProps } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { Panel } from '@anniversary/shared/ui/Panel'
import { useChunk } from '@anniversary/shared/ui/use-chunk'
import { useEffect, useRef } from 'react'

const loadWheel = () => import('./wheel.ts')

/**
 * The page is React's, as for every remote. Vue loads after the first view and
 * draws inside one element.
 */
export default function VuePage({ host }: PageProps) {
  const place = useRef<HTMLDivElement>(null)
  const wheel = useChunk(loadWheel, true)

  useEffect(() => {
    if (!wheel || !place.current) return
    return wheel.mountWheel(place.current, () => host.navigate(paths.landing))
  }, [wheel, host])

  return (
    <Panel>
      <h1>Vòng quay</h1>
      <div ref={place} />
    </Panel>
  )
}
