import type { Host } from '@anniversary/shared/contract/host'
import { Countdown } from '@anniversary/shared/ui/Countdown'
import { useCallback, useEffect, useReducer } from 'react'
import styles from './EventClock.module.css'
import { nextMoment } from './event-timeline.ts'
import { texts } from './texts.ts'

const SECOND = 1000

export interface EventClockProps {
  clock: Host['clock']
  /** The server has answered: before that, the host's clock may be the browser's, which may be wrong. */
  known: boolean
}

/** Counts down to the next border of a stage or draw, one after the other, until the event is over. */
export function EventClock({ clock, known }: EventClockProps) {
  const now = useCallback(() => clock.now(), [clock])
  const [, tick] = useReducer((seconds: number) => seconds + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, SECOND)
    return () => clearInterval(timer)
  }, [])
  const moment = nextMoment(now())
  return (
    <div className={styles.clock}>
      {!known ? null : moment ? (
        <Countdown
          now={now}
          target={moment.target}
          label={texts.moments[moment.kind](moment.stage)}
          ended={texts.ended}
        />
      ) : (
        <>
          <h2>{texts.ended}</h2>
          <p>{texts.endedHint}</p>
        </>
      )}
    </div>
  )
}
