import { nextMoment } from '@anniversary/shared/contract/event-timeline'
import type { Host } from '@anniversary/shared/contract/host'
import { Countdown, useEventTime } from '@anniversary/shared/ui/Countdown'
import styles from '../HomePage.module.css'
import { texts } from '../texts.ts'

interface EventClockProps {
  clock: Host['clock']
  known: boolean
  onMoment(): void
}

export function EventClock({ clock, known, onMoment }: EventClockProps) {
  const now = useEventTime(clock, known, onMoment)
  return (
    <div className={styles.clock}>
      {now && <Countdown now={now} />}
      {now && !nextMoment(now) && (
        <>
          <h2>{texts.ended}</h2>
          <p>{texts.endedHint}</p>
        </>
      )}
    </div>
  )
}
