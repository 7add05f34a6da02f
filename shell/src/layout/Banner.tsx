import { Button } from '@anniversary/shared/ui/Button'
import styles from './Notice.module.css'

export interface BannerProps {
  readonly text: string
  readonly action?: { readonly label: string; onPress(): void } | undefined
}

/** A line above the page that stays until its reason is gone: no network, a new version. */
export const Banner = ({ text, action }: BannerProps) => (
  <div className={styles.banner} role="status">
    <span>{text}</span>
    {action && (
      <Button variant="secondary" onClick={action.onPress}>
        {action.label}
      </Button>
    )}
  </div>
)
