import { Button } from '@anniversary/shared/ui/Button'
import { Panel } from '@anniversary/shared/ui/Panel'
import { texts } from '../texts.ts'
import styles from './Notice.module.css'
import torn from './torn.svg'

/** What stands in place of a view that crashed while rendering (specification, section 8). */
export const Crash = () => (
  <Panel className={styles.card} role="alert">
    <img src={torn} alt="" width="168" height="100" />
    <p className={styles.title}>{texts.crash.text}</p>
    <Button onClick={() => location.reload()}>{texts.crash.reload}</Button>
  </Panel>
)
