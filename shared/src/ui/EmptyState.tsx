import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'
import picture from './empty.svg'

export interface EmptyStateProps {
  text: string
  children?: ReactNode
}

export const EmptyState = ({ text, children }: EmptyStateProps) => (
  <div className={styles.empty}>
    <img src={picture} alt="" width="144" height="88" />
    <p className={styles.text}>{text}</p>
    {children}
  </div>
)
