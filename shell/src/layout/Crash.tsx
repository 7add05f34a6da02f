import { Button } from '@anniversary/shared/ui/Button'
import { Panel } from '@anniversary/shared/ui/Panel'
import { texts } from '../texts.ts'
import styles from './Notice.module.css'

/** What stands in place of a view that crashed while rendering (specification, section 8). */
export const Crash = () => (
  <Panel className={styles.card} role="alert">
    <span className={styles.torn} aria-hidden="true" />
    <p className={styles.title}>{texts.crash.text}</p>
    <Button onClick={() => location.reload()}>{texts.crash.reload}</Button>
  </Panel>
)
