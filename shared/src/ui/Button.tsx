import type { ComponentProps } from 'react'
import styles from './Button.module.css'
import { classNames } from './class-names.ts'

interface Look {
  variant?: 'primary' | 'secondary' | 'ghost' | 'link' | undefined
}

interface PressProps extends Look, ComponentProps<'button'> {
  href?: undefined
  /** Work is under way: the button ignores clicks and keeps focus and width. */
  busy?: boolean | undefined
}

interface LinkProps extends Look, ComponentProps<'a'> {
  href: string
  busy?: undefined
}

/**
 * `type` is `button` unless given, so that it never submits a form by accident.
 */
export function Button({
  variant = 'primary',
  className,
  children,
  ...rest
}: PressProps | LinkProps) {
  const look = classNames(styles.button, styles[variant], rest.busy && styles.busy, className)
  const label = <span className={styles.label}>{children}</span>
  if (rest.href !== undefined)
    return (
      <a {...rest} className={look}>
        {label}
      </a>
    )
  const { busy = false, onClick, ...button } = rest
  return (
    <button
      type="button"
      {...button}
      className={look}
      aria-busy={busy || undefined}
      // `disabled` would drop the focus, which a closing dialog returns to this
      // button.
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
