import { texts } from '../texts.ts'
import styles from './TicketStub.module.css'

export interface TicketStubProps {
  code: string
  onCopy(code: string): void
}

/** A ticket code, drawn as a ticket's stub, with a copy button. */
export const TicketStub = ({ code, onCopy }: TicketStubProps) => (
  <div className={styles.stub} data-ground="paper">
    <div className={styles.face}>
      <span className={styles.caption}>{texts.ticket}</span>
      <span className={styles.code} translate="no">
        {code}
      </span>
    </div>
    <button
      type="button"
      className={styles.copy}
      aria-label={texts.copyCode(code)}
      onClick={() => onCopy(code)}
    >
      {texts.copy}
    </button>
  </div>
)
