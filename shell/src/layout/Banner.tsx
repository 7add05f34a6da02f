import { Button } from '@anniversary/shared/ui/Button'
import type { ReactNode } from 'react'
import styles from './Notice.module.css'

/**
 * Holds the banners. The live region exists before their texts, or screen
 * readers would miss them.
 */
export const Banners = ({ children }: { readonly children?: ReactNode }) => (
  <div className={styles.region} role="status">
    {children}
  </div>
)

interface BannerProps {
  readonly text: string
  readonly label: string
  readonly busy?: boolean
  onPress(): void
}

export const Banner = ({ text, label, busy, onPress }: BannerProps) => (
  <div className={styles.banner}>
    <span>{text}</span>
    <Button variant="secondary" busy={busy} onClick={onPress}>
      {label}
    </Button>
  </div>
)
