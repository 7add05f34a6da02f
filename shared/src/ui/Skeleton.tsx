import type { CSSProperties } from 'react'
import { classNames } from './class-names.ts'
import styles from './Skeleton.module.css'

export interface SkeletonProps {
  /**
   * CSS lengths; the same as what will stand there, so that nothing moves. Width defaults to all there is. HTML that is
   * rendered ahead takes them from its class: a style attribute is against the pages' policy.
   */
  width?: CSSProperties['width']
  height?: CSSProperties['height']
  className?: string | undefined
}

/** The place of something that is loading. Silent for screen readers: its owner says what is going on. */
export const Skeleton = ({ width, height, className }: SkeletonProps) => (
  <span
    className={classNames(styles.skeleton, className)}
    style={width || height ? { width, height } : undefined}
    aria-hidden="true"
  />
)
