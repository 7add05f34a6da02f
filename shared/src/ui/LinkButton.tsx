import type { ComponentProps } from 'react'
import styles from './LinkButton.module.css'

/** A button that looks like a link, for actions that lead to no other page. */
export const LinkButton = (props: ComponentProps<'button'>) => (
  <button type="button" {...props} className={styles.link} />
)
