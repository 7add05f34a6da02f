import { classNames } from './class-names.ts'
import styles from './Skeleton.module.css'

/** Placeholder of something that is loading, which its owner announces. */
export const Skeleton = ({ className }: { className?: string | undefined }) => (
  <span className={classNames(styles.skeleton, className)} aria-hidden="true" />
)
