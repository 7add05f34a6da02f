import { type ReactNode, useState } from 'react'
import { type Moment, nextMoment } from '../contract/event-timeline.ts'
import type { Host } from '../contract/host.ts'
import { paths } from '../contract/paths.ts'
import { eventTexts as texts } from '../texts.ts'
import { Button } from './Button.tsx'
import styles from './Countdown.module.css'
import { useEventTime } from './use-event-time.ts'

const NEAR_MS = 10 * 60_000
/** On its day, a draw's countdown may be large. */
const DAY_MS = 24 * 3_600_000

function partsOf(left: number) {
  const seconds = Math.ceil(left / 1000)
  const parts = [
    [Math.floor(seconds / 86_400), texts.days],
    [Math.floor(seconds / 3600) % 24, texts.hours],
    [Math.floor(seconds / 60) % 60, texts.minutes],
    [seconds % 60, texts.seconds],
  ] as const
  const [[days]] = parts
  if (days > 0) return parts
  return parts.slice(1)
}

function isDayOfDraw(moment: Moment | undefined, now: Date): boolean {
  if (!moment?.kind.startsWith('draw')) return false
  return moment.target.getTime() - now.getTime() < DAY_MS
}

interface CountdownProps {
  host: Pick<Host, 'clock' | 'config'>
  isLarge?: boolean
  children: ReactNode
}

/**
 * Counts down to the next start or end of a stage or draw; during a draw with a
 * link to the live show. The last minutes look different. Screen readers may
 * ask for it; it is no live region.
 */
export function Countdown({ host: { clock, config }, isLarge = false, children }: CountdownProps) {
  const now = useEventTime(clock)
  const moment = nextMoment(now)
  // Fixed, so that a draw that begins or ends moves nothing.
  const [isDrawDay] = useState(() => isDayOfDraw(moment, now))
  if (!moment) return children
  const left = moment.target.getTime() - now.getTime()
  const label = texts.moments[moment.kind](moment.stage)
  return (
    <div
      className={styles.countdown}
      data-near={left < NEAR_MS ? '' : undefined}
      data-large={isLarge && isDrawDay ? '' : undefined}
    >
      <span aria-hidden="true">{label}</span>
      <span className={styles.parts} role="timer" aria-label={label}>
        {partsOf(left).map(([value, unit]) => (
          <span key={unit} className={styles.part}>
            <b>{String(value).padStart(2, '0')}</b> <span>{unit}</span>
          </span>
        ))}
      </span>
      {moment.kind === 'draw-end' && (
        <Button href={config.liveUrl ?? paths.megalive} className={styles.watch}>
          {texts.watch}
        </Button>
      )}
    </div>
  )
}
