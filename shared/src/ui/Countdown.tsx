import type { ReactNode } from 'react'
import { nextMoment } from '../contract/event-timeline.ts'
import type { Host } from '../contract/host.ts'
import { paths } from '../contract/paths.ts'
import { eventTexts as texts } from '../texts.ts'
import { Button } from './Button.tsx'
import styles from './Countdown.module.css'
import { useEventTime } from './use-event-time.ts'

/** Days only while there are any. */
function partsOf(left: number) {
  const seconds = Math.ceil(left / 1000)
  const parts = [
    [Math.floor(seconds / 86_400), texts.days],
    [Math.floor(seconds / 3600) % 24, texts.hours],
    [Math.floor(seconds / 60) % 60, texts.minutes],
    [seconds % 60, texts.seconds],
  ] as const
  return parts[0][0] > 0 ? parts : parts.slice(1)
}

/**
 * Counts down to the next start or end of a stage or draw; during a draw with a link to it. Screen readers may ask for
 * it; it never speaks by itself.
 * @param children what stands in its place once the last one has passed
 */
export function Countdown({ clock, children }: { clock: Host['clock']; children: ReactNode }) {
  const now = useEventTime(clock)
  const moment = nextMoment(now)
  if (!moment) return children
  const label = texts.moments[moment.kind](moment.stage)
  return (
    <div className={styles.countdown}>
      <span aria-hidden="true">{label}</span>
      <span className={styles.parts} role="timer" aria-label={label}>
        {partsOf(moment.target.getTime() - now.getTime()).map(([value, unit]) => (
          <span key={unit} className={styles.part}>
            <b>{String(value).padStart(2, '0')}</b> <span>{unit}</span>
          </span>
        ))}
      </span>
      {moment.kind === 'draw-end' && (
        <Button href={paths.megalive} className={styles.watch}>
          {texts.watch}
        </Button>
      )}
    </div>
  )
}
