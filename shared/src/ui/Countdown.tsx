import { useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { nextMoment } from '../contract/event-timeline.ts'
import type { Host } from '../contract/host.ts'
import { eventTexts as texts } from '../texts.ts'
import styles from './Countdown.module.css'

const SECOND = 1000
/** Time over which members' pages spread when they ask the API again: the moment is the same for all. */
const SPREAD_MS = 20_000

/**
 * Renders again at each full second of the event's clock.
 * @param known false until the server has answered: the host's clock may be the browser's, which may be wrong
 * @param onMoment called after a stage or draw has begun or ended, at a random time within `SPREAD_MS`
 */
export function useEventTime(
  clock: Host['clock'],
  known: boolean,
  onMoment: () => void = () => undefined,
): Date | undefined {
  const [, render] = useReducer((ticks: number) => ticks + 1, 0)
  // After each render, for the clock's next full second, so that a late timer does not drift.
  useEffect(() => {
    const timer = setTimeout(render, SECOND - (clock.now().getTime() % SECOND))
    return () => clearTimeout(timer)
  })
  const now = known ? clock.now() : undefined
  const target = now && (nextMoment(now)?.target.getTime() ?? 0)
  const before = useRef(target)
  const tell = useEffectEvent(onMoment)
  useEffect(() => {
    const passed = before.current !== undefined && before.current !== target
    before.current = target
    if (!passed) return
    const timer = setTimeout(() => tell(), Math.random() * SPREAD_MS)
    return () => clearTimeout(timer)
  }, [target])
  return now
}

function partsOf(left: number) {
  const seconds = Math.ceil(left / SECOND)
  return [
    [Math.floor(seconds / 86_400), texts.days],
    [Math.floor(seconds / 3600) % 24, texts.hours],
    [Math.floor(seconds / 60) % 60, texts.minutes],
    [seconds % 60, texts.seconds],
  ] as const
}

/** Counts down to the next start or end of a stage or draw. Screen readers may ask for it; it never speaks by itself. */
export function Countdown({ now }: { now: Date }) {
  const moment = nextMoment(now)
  if (!moment) return null
  const label = texts.moments[moment.kind](moment.stage)
  return (
    <div className={styles.countdown} role="timer" aria-label={label}>
      <span>{label}</span>
      <span className={styles.parts}>
        {partsOf(moment.target.getTime() - now.getTime()).map(([value, unit]) => (
          <span key={unit} className={styles.part}>
            <b>{String(value).padStart(2, '0')}</b> <span>{unit}</span>
          </span>
        ))}
      </span>
    </div>
  )
}
