import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'
import picture from './empty.svg'

export interface EmptyStateProps {
  /** What is not there. */
  text: string
  /** What the person can do about it: a hint, a button. */
  children?: ReactNode
}

/** A place that has nothing to show yet. */
export const EmptyState = ({ text, children }: EmptyStateProps) => (
  <div className={styles.empty}>
    <img src={picture} alt="" width="144" height="88" />
    <p className={styles.text}>{text}</p>
    {children}
  </div>
)
