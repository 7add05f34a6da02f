import { DRAWS } from '../contract/event.ts'
import { CALENDAR_FILE } from '../contract/paths.ts'
import { eventTexts } from '../texts.ts'
import styles from './NoWinTicket.module.css'

const texts = eventTexts.noWin

interface NoWinTicketProps {
  codes: number
  /** The last draw whose results are known. */
  draw: number
}

export function NoWinTicket({ codes, draw }: NoWinTicketProps) {
  const nights = DRAWS.length - draw
  return (
    <section className={styles.ticket} data-ground="paper">
      <div className={styles.face}>
        <h2>{texts.title}</h2>
        <p>{nights > 0 ? texts.nights(codes, nights) : texts.over}</p>
      </div>
      {nights > 0 ? (
        <a className={styles.stub} href={CALENDAR_FILE}>
          {texts.calendar}
        </a>
      ) : (
        <span className={styles.stub} aria-hidden="true">
          ★ ★ ★
        </span>
      )}
    </section>
  )
}
