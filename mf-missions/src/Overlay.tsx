import styles from './Overlay.module.css'
import { missionTexts as texts } from './texts.ts'

/**
 * Lets clicks through: calls have no time limit, and links must keep working.
 */
export const Overlay = () => (
  <div className={styles.overlay} role="status">
    <div className={styles.box} data-ground="paper">
      <span className={styles.seal} aria-hidden="true" />
      {texts.processing}
    </div>
  </div>
)
