import { texts } from '../texts.ts'
import styles from './Countdown.module.css'

export interface CountdownProps {
  /** Milliseconds, more than 0. */
  left: number
  /** What it counts down to. */
  label: string
}

/** Days, hours, minutes and seconds. Screen readers may ask for it; it never speaks by itself. */
export function Countdown({ left, label }: CountdownProps) {
  const seconds = Math.ceil(left / 1000)
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
