import styles from './Overlay.module.css'
import { missionTexts as texts } from './texts.ts'

/**
 * Lets clicks through: calls have no time limit, and links must keep working.
 * Its region exists before the text, so that screen readers announce it.
 */
export const Overlay = ({ isShown }: { isShown: boolean }) => (
  <div className={styles.region} role="status">
    {isShown && (
      <div className={styles.overlay}>
        <div className={styles.box} data-ground="paper">
          <span className={styles.seal} aria-hidden="true" />
          {texts.processing}
        </div>
      </div>
    )}
  </div>
)
