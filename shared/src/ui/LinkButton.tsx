import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import styles from './LinkButton.module.css'

/** A button that looks like a link: for what happens on the page, where `<a>` would promise another one. */
export const LinkButton = ({ className, ...rest }: ComponentProps<'button'>) => (
  <button type="button" {...rest} className={classNames(styles.link, className)} />
)
