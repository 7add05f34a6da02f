import { Button } from '@anniversary/shared/ui/Button'
import { Panel } from '@anniversary/shared/ui/Panel'
import { texts } from '../texts.ts'
import styles from './Notice.module.css'
import torn from './torn.svg'

export interface RemoteCardProps {
  readonly title: string
  readonly text: string
  /** Absent: the part is switched off, and a retry cannot help. */
  readonly onRetry?: (() => void) | undefined
}

/** Replaces a part of the site that could not be loaded. */
export const RemoteCard = ({ title, text, onRetry }: RemoteCardProps) => (
  <Panel className={styles.card} role="alert">
    <img src={torn} alt="" width="168" height="100" />
    <h1 className={styles.title}>{title}</h1>
    <p className={styles.text}>{text}</p>
    {onRetry && <Button onClick={onRetry}>{texts.retry}</Button>}
  </Panel>
)
