import type { ReactNode } from 'react'
import picture from '../../campaign/art/empty.svg'
import styles from './EmptyState.module.css'

interface EmptyStateProps {
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
