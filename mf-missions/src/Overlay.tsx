import styles from './Overlay.module.css'

/**
 * The loading overlay. It covers the page but takes no presses: an answer may take for ever (the calls have no
 * time-out), and the way back must work meanwhile. What must not be pressed twice is locked where it stands.
 */
export const Overlay = ({ text }: { text: string }) => (
  <div className={styles.overlay} role="status">
    <div className={styles.box} data-ground="paper">
      <span className={styles.seal} aria-hidden="true" />
      {text}
    </div>
  </div>
)
