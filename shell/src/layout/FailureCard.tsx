import { Panel } from '@anniversary/shared/ui/Panel'
import type { ReactNode } from 'react'
import styles from './Notice.module.css'
import torn from './torn.svg'

interface FailureCardProps {
  readonly title: string
  readonly text?: string
  readonly children?: ReactNode
}

/** Replaces a part of the site that failed or is switched off. */
export const FailureCard = ({ title, text, children }: FailureCardProps) => (
  <Panel className={styles.card} role="alert">
    <img src={torn} alt="" width="168" height="100" />
    <h1 className={styles.title}>{title}</h1>
    {text && <p className={styles.text}>{text}</p>}
    {children}
  </Panel>
)
