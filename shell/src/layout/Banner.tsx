import { Button } from '@anniversary/shared/ui/Button'
import styles from './Notice.module.css'

export interface BannerProps {
  /** Null while there is nothing to say: the region stands there before it speaks, or nobody would hear it. */
  readonly text: string | null
  readonly action?: { readonly label: string; readonly busy?: boolean; onPress(): void } | undefined
}

/** A line above the page that stays until its reason is gone: no network, a new version. */
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
