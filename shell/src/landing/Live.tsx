import { nextMoment } from '@anniversary/shared/contract/event-timeline'
import type { DrawResult, Host } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { Countdown, useEventTime } from '@anniversary/shared/ui/Countdown'
import { Prizes } from '@anniversary/shared/ui/Prizes'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { texts } from '../texts.ts'
import styles from './Landing.module.css'
import { CLOCK_ID } from './Landing.tsx'

/** What of the landing page depends on the time: the countdown, and below the first screen the prizes and who won. */
export function Live({ host }: { host: Host }) {
  const [results, setResults] = useState<readonly DrawResult[]>()
  // Its answer sets the event's clock too; where the API has no such call, the browser's clock has to do.
  const load = () => void host.api.draws().then(setResults)
  useEffect(load, [host])
  const clock = document.getElementById(CLOCK_ID)
  return (
    <>
      {clock &&
        createPortal(<Clock clock={host.clock} known={results !== undefined} onMoment={load} />, clock)}
      <div className={styles.shelf}>
        <Prizes heading="h2" results={results} />
        <div className={styles.links}>
          <Button variant="secondary" onClick={host.rules.open}>
            {texts.landing.rules}
          </Button>
          <Button variant="secondary" href={paths.check}>
            {texts.landing.check}
          </Button>
        </div>
      </div>
    </>
  )
}

/** Apart, since it renders each second. */
function Clock(props: { clock: Host['clock']; known: boolean; onMoment: () => void }) {
  const now = useEventTime(props.clock, props.known, props.onMoment)
  const moment = now && nextMoment(now)
  return (
    now && (
      <>
        {moment ? <Countdown now={now} /> : <p>{texts.landing.ended}</p>}
        {moment?.kind === 'draw-end' && <Button href={paths.megalive}>{texts.landing.watch}</Button>}
      </>
    )
  )
}
