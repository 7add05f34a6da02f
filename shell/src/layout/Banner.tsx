import { Button } from '@anniversary/shared/ui/Button'
import styles from './Notice.module.css'

export interface BannerProps {
  /** Null: nothing to say. The live region is there before its text, or screen readers would miss the text. */
  readonly text: string | null
  readonly action?: { readonly label: string; readonly busy?: boolean; onPress(): void } | undefined
}

/** A line above the page that stays as long as its reason: no network, a new version. */
export const Banner = ({ text, action }: BannerProps) => (
  <div className={styles.region} role="status">
    {text !== null && (
      <div className={styles.banner}>
        <span>{text}</span>
        {action && (
          <Button variant="secondary" busy={action.busy} onClick={action.onPress}>
            {action.label}
          </Button>
        )}
      </div>
    )}
  </div>
)
