import { classNames } from './class-names.ts'
import styles from './Skeleton.module.css'

/** Its owner announces the loading. */
export const Skeleton = ({ className }: { className?: string | undefined }) => (
  <span className={classNames(styles.skeleton, className)} aria-hidden="true" />
)
