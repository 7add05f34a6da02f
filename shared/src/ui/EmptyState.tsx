import type { ReactNode } from 'react'
import picture from '../../campaign/art/empty.svg'
import styles from './EmptyState.module.css'

export const EmptyState = ({ text, children }: { text: string; children?: ReactNode }) => (
  <div className={styles.empty}>
    <img src={picture} alt="" width="144" height="88" />
    <p className={styles.text}>{text}</p>
    {children}
  </div>
)
