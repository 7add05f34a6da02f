import type { Host } from '@anniversary/shared/contract/host'
import { Countdown } from '@anniversary/shared/ui/Countdown'
import { useCallback, useEffect, useState } from 'react'
import styles from './EventClock.module.css'
import { nextMoment } from './event-timeline.ts'
import { texts } from './texts.ts'

const SECOND = 1000

/** Counts down to the next border of a stage or draw, one after the other, until the event is over. */
export const EventClock = ({ clock }: { clock: Host['clock'] }) => {
  const now = useCallback(() => clock.now(), [clock])
  const [moment, setMoment] = useState(() => nextMoment(now()))
  useEffect(() => {
    // `nextMoment` gives the same object until it has passed, so React renders only then.
    const timer = setInterval(() => setMoment(nextMoment(now())), SECOND)
    return () => clearInterval(timer)
  }, [now])
  return (
    <div className={styles.clock}>
      {moment ? (
        <Countdown
          now={now}
          target={moment.target}
          label={texts.moment[moment.kind](moment.stage)}
          ended={texts.ended}
        />
      ) : (
        <>
          <p className={styles.ended}>{texts.ended}</p>
          <p className={styles.hint}>{texts.endedHint}</p>
        </>
      )}
    </div>
  )
}
