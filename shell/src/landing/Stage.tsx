import hero from '@anniversary/shared/campaign/art/prizes/1.svg'
import { DRAWS } from '@anniversary/shared/contract/event'
import { shortDay } from '@anniversary/shared/contract/event-time'
import { PRIZES } from '@anniversary/shared/contract/prizes'
import styles from './Stage.module.css'
import { landingTexts as texts } from './texts.ts'

const [special] = PRIZES

interface StageProps {
  member: string | undefined
  /** Gets the place of the countdown, which `Live` fills. */
  clockRef(place: HTMLElement | null): void
}

export function Stage({ member, clockRef }: StageProps) {
  return (
    <div className={styles.stage}>
      <img className={styles.car} src={hero} alt="" width="640" height="300" fetchPriority="high" />
      <p className={styles.special}>
        {special?.rank} <b>{special?.name}</b>
      </p>
      <p className={styles.lead}>
        {member ? (
          <>
            {texts.hello} <b translate="no">{member}</b>!
          </>
        ) : (
          texts.lead
        )}
      </p>
      <ul className={styles.nights} aria-label={texts.nights}>
        {DRAWS.map(({ stage, start }) => (
          <li key={stage}>
            <b>{shortDay(start).slice(0, 5)}</b> <span>{texts.night(stage)}</span>
          </li>
        ))}
      </ul>
      <div ref={clockRef} className={styles.clock} />
    </div>
  )
}
