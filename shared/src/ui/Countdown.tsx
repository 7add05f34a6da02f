import { useEffect, useState } from 'react'
import styles from './Countdown.module.css'
import { texts } from './texts.ts'

export interface CountdownProps {
  /** The event's clock, not the browser's. */
  now(): Date
  target: Date
  /** What it counts down to. */
  label: string
  /** Shown instead once the target has passed. */
  ended: string
}

const SECOND = 1000

/** Days, hours, minutes and seconds until `target`. Screen readers may ask for it; it never speaks by itself. */
export function Countdown({ now, target, label, ended }: CountdownProps) {
  const [left, setLeft] = useState(() => target.getTime() - now().getTime())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      const ms = target.getTime() - now().getTime()
      setLeft(ms)
      // On the clock's full seconds, so that a late timer does not drift.
      if (ms > 0) timer = setTimeout(tick, ms % SECOND || SECOND)
    }
    tick()
    return () => clearTimeout(timer)
  }, [now, target])

  if (left <= 0) return <p className={styles.ended}>{ended}</p>
  const seconds = Math.ceil(left / SECOND)
  const parts = [
    [Math.floor(seconds / 86_400), texts.days],
    [Math.floor(seconds / 3600) % 24, texts.hours],
    [Math.floor(seconds / 60) % 60, texts.minutes],
    [seconds % 60, texts.seconds],
  ] as const
  return (
    <div className={styles.countdown} role="timer" aria-label={label}>
      <span className={styles.label}>{label}</span>
      {parts.map(([value, unit]) => (
        <span key={unit} className={styles.part}>
          <b className={styles.value}>{String(value).padStart(2, '0')}</b>{' '}
          <span className={styles.unit}>{unit}</span>
        </span>
      ))}
    </div>
  )
}
