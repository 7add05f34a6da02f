import { Button } from '@anniversary/shared/ui/Button'
import { Panel } from '@anniversary/shared/ui/Panel'
import { texts } from '../texts.ts'
import styles from './Notice.module.css'
import torn from './torn.svg'

export interface CrashProps {
  /** Renders the view again without a page load; absent: only a page load helps. */
  readonly onRetry?: (() => void) | undefined
}

/** Replaces a view that crashed while rendering (specification, section 8). */
export const Crash = ({ onRetry }: CrashProps) => (
  <Panel className={styles.card} role="alert">
    <img src={torn} alt="" width="168" height="100" />
    <h1 className={styles.title}>{texts.crash.text}</h1>
    <Button onClick={() => location.reload()}>{texts.crash.reload}</Button>
    {onRetry && (
      <Button variant="secondary" onClick={onRetry}>
        {texts.retry}
      </Button>
    )}
  </Panel>
)
