import { nextMoment } from '@anniversary/shared/contract/event-timeline'
import type { Host } from '@anniversary/shared/contract/host'
import { Countdown, useEventTime } from '@anniversary/shared/ui/Countdown'
import { useEffect, useEffectEvent, useRef } from 'react'
import styles from '../HomePage.module.css'
import { texts } from '../texts.ts'

interface EventClockProps {
  clock: Host['clock']
  known: boolean
  onMoment(): void
}

export function EventClock({ clock, known, onMoment }: EventClockProps) {
  const now = useEventTime(clock, known)
  const target = now && (nextMoment(now)?.target.getTime() ?? 0)
  const before = useRef(target)
  const tell = useEffectEvent(onMoment)
  useEffect(() => {
    if (before.current !== undefined && before.current !== target) tell()
    before.current = target
  }, [target])
  return (
    <div className={styles.clock}>
      {now && <Countdown now={now} />}
      {target === 0 && (
        <>
          <h2>{texts.ended}</h2>
          <p>{texts.endedHint}</p>
        </>
      )}
    </div>
  )
}
