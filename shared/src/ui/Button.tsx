import type { ComponentProps } from 'react'
import styles from './Button.module.css'
import { classNames } from './class-names.ts'

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: 'primary' | 'secondary' | 'ghost' | 'link' | undefined
  /** Its work is under way: it ignores presses, keeps focus and width. */
  busy?: boolean | undefined
  /** A page of the app: then it is a link, which the host follows without a page load. */
  href?: string | undefined
}

/** A button, or a link that looks like one. `type` is `button` unless given, so that it never submits a form by accident. */
export function Button({
  variant = 'primary',
  busy = false,
  href,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const look = classNames(styles.button, styles[variant], busy && styles.busy, className)
  const label = <span className={styles.label}>{children}</span>
  if (href !== undefined)
    return (
      <a href={href} className={look}>
        {label}
      </a>
    )
  return (
    <button
      type="button"
      {...rest}
      className={look}
      aria-busy={busy || undefined}
      // Not `disabled`, which would drop the focus, and with it a dialog's way back to its opener.
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {label}
    </button>
  )
}
