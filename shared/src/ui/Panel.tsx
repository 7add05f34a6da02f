import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import styles from './Panel.module.css'

export const Panel = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={classNames(styles.panel, className)} data-ground="paper" />
)
