import type { Notify } from '@anniversary/shared/contract/host'
import { copyText } from '@anniversary/shared/ui/copy-text'
import { codeTexts } from '../code-texts.ts'
import styles from './Ticket.module.css'

interface TicketProps {
  code: string
  prize?: string
  caption: string
  picture: string | undefined
  /** Prints the ticket, turns its code up and tears its stub. */
  fresh: boolean
  notify: Notify
}

/** A lottery ticket: its picture and code on gold paper, and a stub that copies the code. */
export const Ticket = ({ code, prize, caption, picture, fresh, notify }: TicketProps) => (
  <div className={fresh ? `${styles.ticket} ${styles.fresh}` : styles.ticket} data-ground="paper">
    <div className={styles.face}>
      {picture && <img src={picture} alt="" width="76" height="60" />}
      <span>
        {prize && <b className={styles.prize}>{prize}</b>}
        <span className={styles.caption}>{caption}</span>
        <span className={styles.code} translate="no">
          {code}
        </span>
      </span>
    </div>
    <button
      type="button"
      className={styles.stub}
      aria-label={codeTexts.copyCode(code)}
      onClick={({ currentTarget: { parentElement } }) =>
        copyText(code, codeTexts.codeCopied, notify, parentElement?.querySelector('[translate=no]'))
      }
    >
      {codeTexts.copy}
    </button>
  </div>
)
