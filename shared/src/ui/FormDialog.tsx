import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { uiTexts as texts } from '../texts.ts'
import { afterPaint } from './after-paint.ts'
import { Button } from './Button.tsx'
import { Dialog, type DialogProps } from './Dialog.tsx'
import styles from './FormDialog.module.css'

interface FormDialogProps extends Pick<DialogProps, 'title' | 'onClose' | 'children'> {
  lead: string
  submitLabel: string
  disabled?: boolean
  busy: boolean
  /** An error of the whole form. Not announced, because its toast was. */
  problem?: string | null
  onInput?(form: HTMLFormElement): void
  onSubmit(form: HTMLFormElement): void
}

const LOOK_FOR_AUTOFILL_MS = 500

export function FormDialog(props: FormDialogProps) {
  const {
    title,
    lead,
    submitLabel,
    disabled,
    busy,
    problem,
    onInput,
    onSubmit,
    onClose,
    children,
  } = props
  const id = useId()
  const onFill = useEffectEvent(() => ref.current && onInput?.(ref.current))
  const ref = useRef<HTMLFormElement>(null)
  // Keeps the focused field above the toast. jsdom has no scrollIntoView.
  useEffect(() => {
    if (problem)
      afterPaint(() => ref.current?.querySelector(':focus')?.scrollIntoView?.({ block: 'nearest' }))
  }, [problem])
  // Autofill may fill a field with a `change` event only, which React ignores
  // when a script has set the value.
  useEffect(() => {
    const form = ref.current
    const listen = () => onFill()
    form?.addEventListener('change', listen)
    return () => form?.removeEventListener('change', listen)
  }, [])
  // Or with no event at all.
  useEffect(() => {
    if (!disabled) return
    const timer = setInterval(() => onFill(), LOOK_FOR_AUTOFILL_MS)
    return () => clearInterval(timer)
  }, [disabled])
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          {/* Below its toast. */}
          {problem && <p className={styles.problem}>{problem}</p>}
          <Button type="submit" form={id} disabled={disabled} busy={busy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        ref={ref}
        id={id}
        className={problem ? `${styles.form} ${styles.refused}` : styles.form}
        noValidate
        onInput={(event) => onInput?.(event.currentTarget)}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit(event.currentTarget)
        }}
      >
        <p>
          {lead} <span className={styles.required}>{texts.required}</span>
        </p>
        {children}
      </form>
    </Dialog>
  )
}
