import type { ComponentProps } from 'react'
import styles from './Button.module.css'
import { classNames } from './class-names.ts'

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: 'primary' | 'secondary' | 'ghost' | undefined
  /** Its work is under way: it ignores presses, keeps focus and width. */
  busy?: boolean | undefined
}

/** A button. `type` is `button` unless given, so that it never submits a form by accident. */
export const Button = ({
  variant = 'primary',
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    {...rest}
    className={classNames(styles.button, styles[variant], busy && styles.busy, className)}
    aria-busy={busy || undefined}
    // Not `disabled`, which would drop the focus, and with it a dialog's way back to its opener.
    aria-disabled={busy || undefined}
    onClick={(event) => {
      if (busy) event.preventDefault()
      else onClick?.(event)
    }}
  >
    <span className={styles.label}>{children}</span>
  </button>
)
