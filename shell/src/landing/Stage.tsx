import hero from '@anniversary/shared/campaign/art/prizes/1.svg'
import { DRAWS, PRIZES } from '@anniversary/shared/contract/event'
import { shortDay } from '@anniversary/shared/contract/event-time'
import { texts } from '../texts.ts'
import styles from './Stage.module.css'

const [special] = PRIZES
/** Where `Live` puts its countdown. */
export const CLOCK_ID = 'landing-clock'

/** The special prize, what to do for it, and the nights of the draws. */
export function Stage() {
  return (
    <div className={styles.stage}>
      <img className={styles.car} src={hero} alt="" width="640" height="300" fetchPriority="high" />
      <p className={styles.special}>
        {special?.rank} <b>{special?.name}</b>
      </p>
      <p className={styles.lead}>{texts.landing.lead}</p>
      <ul className={styles.nights} aria-label={texts.landing.nights}>
        {DRAWS.map(({ stage, start }) => (
          <li key={stage}>
            <b>{shortDay(start).slice(0, 5)}</b> <span>{texts.landing.night(stage)}</span>
          </li>
        ))}
      </ul>
      <div id={CLOCK_ID} className={styles.clock} />
    </div>
  )
}
