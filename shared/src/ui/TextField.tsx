import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './TextField.module.css'

interface FieldProps {
  label: string
  error?: string | undefined
  hint?: string | undefined
  after?: ReactNode
}

type TextFieldProps = FieldProps &
  (
    | ({ multiline?: false | undefined } & ComponentProps<'input'>)
    | ({ multiline: true } & ComponentProps<'textarea'>)
  )

/** Other properties go to the input or, with `multiline`, the textarea. */
export function TextField({ label, error, hint, after, ...field }: TextFieldProps) {
  const ownId = useId()
  const { multiline, id = ownId, ...rest } = field
  const described =
    [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined
  const shared = {
    id,
    className: styles.input,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': described,
  } as const
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
        {rest.required && (
          <span className={styles.required} aria-hidden="true">
            {'\u00a0*'}
          </span>
        )}
      </label>
      <div className={styles.row}>
        {multiline ? (
          // The compiler no longer knows which half of the union `rest` belongs
          // to; `multiline` does.
          <textarea rows={3} {...(rest as ComponentProps<'textarea'>)} {...shared} />
        ) : (
          <input type="text" {...(rest as ComponentProps<'input'>)} {...shared} />
        )}
        {after}
      </div>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}
