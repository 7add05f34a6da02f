import { classNames } from './class-names.ts'
import styles from './Skeleton.module.css'

/**
 * Placeholder of something that is loading. Hidden from screen readers: its owner announces the loading.
 * @param props.className gives it the height of what comes, so that nothing moves
 */
export const Skeleton = ({ className }: { className?: string | undefined }) => (
  <span className={classNames(styles.skeleton, className)} aria-hidden="true" />
)
