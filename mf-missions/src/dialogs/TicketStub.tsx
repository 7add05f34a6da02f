import { texts } from '../texts.ts'
import styles from './TicketStub.module.css'

export interface TicketStubProps {
  code: string
  /** Just claimed: its stub tears off along the perforation. */
  fresh: boolean
  onCopy(): void
}

/** A ticket code, drawn as a ticket; a press on its stub copies the code. */
export const TicketStub = ({ code, fresh, onCopy }: TicketStubProps) => (
  <div className={`${styles.ticket} ${fresh ? styles.fresh : ''}`} data-ground="paper">
    <div className={styles.face}>
      <span className={styles.caption}>{texts.ticket}</span>
      <span className={styles.code} translate="no">
        {code}
      </span>
    </div>
    <button type="button" className={styles.stub} aria-label={texts.copyCode(code)} onClick={onCopy}>
      {texts.copy}
    </button>
  </div>
)
