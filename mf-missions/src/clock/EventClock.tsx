import type { Host } from '@anniversary/shared/contract/host'
import { useEffect, useReducer } from 'react'
import { texts } from '../texts.ts'
import styles from './EventClock.module.css'
import { nextMoment } from './event-timeline.ts'

const SECOND = 1000

/**
 * Counts down to the next start or end of a stage or draw, until the event is over.
 * @param props.known false until the server has answered: the host's clock may be the browser's, which may be wrong
 */
export function EventClock({ clock, known }: { clock: Host['clock']; known: boolean }) {
  const [, render] = useReducer((ticks: number) => ticks + 1, 0)
  // After each render, for the clock's next full second, so that a late timer does not drift.
  useEffect(() => {
    const timer = setTimeout(render, SECOND - (clock.now().getTime() % SECOND))
    return () => clearTimeout(timer)
  })
  return <div className={styles.clock}>{known && <Moment now={clock.now()} />}</div>
}

/** @param left in milliseconds */
function partsOf(left: number) {
  const seconds = Math.ceil(left / SECOND)
  return [
    [Math.floor(seconds / 86_400), texts.days],
    [Math.floor(seconds / 3600) % 24, texts.hours],
    [Math.floor(seconds / 60) % 60, texts.minutes],
    [seconds % 60, texts.seconds],
  ] as const
}

/** Screen readers may ask for the time left; it never speaks by itself. */
function Moment({ now }: { now: Date }) {
  const moment = nextMoment(now)
  if (!moment)
    return (
      <>
        <h2>{texts.ended}</h2>
        <p>{texts.endedHint}</p>
      </>
    )
  const label = texts.moments[moment.kind](moment.stage)
  return (
    <div className={styles.countdown} role="timer" aria-label={label}>
      <p>{label}</p>
      {partsOf(moment.target.getTime() - now.getTime()).map(([value, unit]) => (
        <span key={unit} className={styles.part}>
          <b>{String(value).padStart(2, '0')}</b> <span>{unit}</span>
        </span>
      ))}
    </div>
  )
}
