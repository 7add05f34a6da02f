import { DRAWS } from '../contract/event.ts'
import { CALENDAR_FILE } from '../contract/paths.ts'
import { eventTexts } from '../texts.ts'
import styles from './NoWinTicket.module.css'

const texts = eventTexts.noWin

interface NoWinTicketProps {
  /** The last draw whose results are known; 0 before the first. */
  draw: number
  codes: number
  wins: number
}

/** For a member who took part in a draw and has won nothing so far. */
export function NoWinTicket({ draw, codes, wins }: NoWinTicketProps) {
  if (draw === 0 || codes === 0 || wins > 0) return null
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
