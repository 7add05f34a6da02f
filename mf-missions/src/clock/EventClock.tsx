import type { Host } from '@anniversary/shared/contract/host'
import { useEffect, useReducer } from 'react'
import { texts } from '../texts.ts'
import { Countdown } from './Countdown.tsx'
import styles from './EventClock.module.css'
import { nextMoment } from './event-timeline.ts'

const SECOND = 1000

export interface EventClockProps {
  clock: Host['clock']
  /** False until the server has answered: the host's clock may be the browser's, which may be wrong. */
  known: boolean
}

/** Counts down to the next start or end of a stage or draw, until the event is over. */
export function EventClock({ clock, known }: EventClockProps) {
  const [, render] = useReducer((ticks: number) => ticks + 1, 0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      // On the clock's full seconds, so that a late timer does not drift.
      timer = setTimeout(tick, SECOND - (clock.now().getTime() % SECOND))
    }
    const tick = () => {
      render()
      wait()
    }
    wait()
    return () => clearTimeout(timer)
  }, [clock])
  return <div className={styles.clock}>{known && <Moment now={clock.now()} />}</div>
}

function Moment({ now }: { now: Date }) {
  const moment = nextMoment(now)
  if (moment)
    return (
      <Countdown
        left={moment.target.getTime() - now.getTime()}
        label={texts.moments[moment.kind](moment.stage)}
      />
    )
  return (
    <>
      <h2>{texts.ended}</h2>
      <p>{texts.endedHint}</p>
    </>
  )
}
