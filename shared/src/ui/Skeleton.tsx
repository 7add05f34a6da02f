import type { CSSProperties } from 'react'
import { classNames } from './class-names.ts'
import styles from './Skeleton.module.css'

export interface SkeletonProps {
  /**
   * CSS lengths of what is loading, so that nothing moves; default width: all there is. Prerendered HTML sets them by
   * `className`, since the pages' CSP forbids style attributes.
   */
  width?: CSSProperties['width']
  height?: CSSProperties['height']
  className?: string | undefined
}

/** Placeholder of something that is loading. Hidden from screen readers: its owner announces the loading. */
export const Skeleton = ({ width, height, className }: SkeletonProps) => (
  <span
    className={classNames(styles.skeleton, className)}
    style={width || height ? { width, height } : undefined}
    aria-hidden="true"
  />
)
