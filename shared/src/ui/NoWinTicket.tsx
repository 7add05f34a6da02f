import { DRAWS } from '../contract/event.ts'
import { lastDrawBegun } from '../contract/event-timeline.ts'
import type { Host } from '../contract/host.ts'
import { CALENDAR_FILE } from '../contract/paths.ts'
import { eventTexts } from '../texts.ts'
import styles from './NoWinTicket.module.css'

const texts = eventTexts.noWin

interface NoWinTicketProps {
  clock: Host['clock']
  /** As the history names it. */
  lastDraw: number
  codes: number
  wins: number
}

/** For a member who took part in a draw and has won nothing so far. */
export function NoWinTicket({ clock, lastDraw, codes, wins }: NoWinTicketProps) {
  if (lastDraw === 0 || codes === 0 || wins > 0) return null
  // A later draw runs, or its results are not known yet.
  if (lastDraw !== lastDrawBegun(clock.now())) return null
  const nights = DRAWS.length - lastDraw
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
