import { isDrawMoment } from '@anniversary/shared/contract/event-timeline'
import type { DrawResult, DrawResults, FrozenList, Host } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { Countdown } from '@anniversary/shared/ui/Countdown'
import { Prizes } from '@anniversary/shared/ui/Prizes'
import { useEventMoments } from '@anniversary/shared/ui/use-event-time'
import { useNetworkRetry } from '@anniversary/shared/ui/use-network-retry'
import { areDrawsLoaded, useResultNews } from '@anniversary/shared/ui/use-result-news'
import { useCallback, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import styles from './Live.module.css'
import { landingTexts as texts } from './texts.ts'
import { Winners } from './Winners.tsx'

interface LiveProps {
  host: Host
  clock: HTMLElement | null
}

export function Live({ host, clock }: LiveProps) {
  const [results, setResults] = useState<readonly DrawResult[]>()
  const [lists, setLists] = useState<readonly FrozenList[]>([])
  const [failed, setFailed] = useState(false)
  // Published results stay when a later call fails.
  const show = useCallback((found: DrawResults) => {
    const isLoaded = areDrawsLoaded(found)
    setResults((old = []) => (isLoaded ? found : old))
    setFailed(!isLoaded)
    if (found.frozen) setLists(found.frozen)
  }, [])
  // The answer also sets the event's clock. An API without this call leaves the
  // browser's clock.
  const load = useCallback(() => host.api.draws().then(show), [host, show])
  useEffect(() => void load(), [load])
  useNetworkRetry(failed, () => {
    // The answer tells of a found network before it is read.
    setFailed(false)
    void load()
  })
  useEventMoments(host.clock, results !== undefined, (moments) => {
    if (moments.some(isDrawMoment)) void load()
  })
  useResultNews(host, results, show)
  return (
    <>
      {clock &&
        results &&
        createPortal(
          <>
            <Winners results={results} />
            <Countdown host={host} isLarge>
              <p data-ended="">{texts.ended}</p>
            </Countdown>
          </>,
          clock,
        )}
      <div className={styles.shelf}>
        <Prizes heading="h2" results={results} frozen={{ host, lists }} />
        <div className={styles.links}>
          <Button variant="secondary" onClick={host.rules.open}>
            {texts.rules}
          </Button>
          <Button variant="secondary" href={paths.check}>
            {texts.check}
          </Button>
        </div>
      </div>
    </>
  )
}
