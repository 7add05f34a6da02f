import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import styles from './LinkButton.module.css'

/** A button that looks like a link, for actions that lead to no other page. */
export const LinkButton = ({ className, ...rest }: ComponentProps<'button'>) => (
  <button type="button" {...rest} className={classNames(styles.link, className)} />
)
