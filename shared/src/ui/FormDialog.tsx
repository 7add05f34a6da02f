import { type FormEvent, type ReactNode, useId } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import styles from './FormDialog.module.css'

interface FormDialogProps {
  title: string
  lead: string
  submitLabel: string
  disabled?: boolean
  busy: boolean
  /** An error of the form as a whole. Not announced, because its toast has been. */
  problem?: string | null
  onInput?(form: HTMLFormElement): void
  onSubmit(form: HTMLFormElement): void
  onClose(): void
  children: ReactNode
}

/** A form in a dialog, which a press beside it does not close: what was typed would be lost. */
export function FormDialog({
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
}: FormDialogProps) {
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(event.currentTarget)
  }
  return (
    <Dialog
      dismissable={false}
      title={title}
      onClose={onClose}
      actions={
        <Button type="submit" form={id} disabled={disabled} busy={busy}>
          {submitLabel}
        </Button>
      }
    >
      <form
        id={id}
        className={styles.form}
        noValidate
        onInput={(event) => onInput?.(event.currentTarget)}
        onSubmit={submit}
      >
        <p>{lead}</p>
        {children}
        {problem && <p className={styles.problem}>{problem}</p>}
      </form>
    </Dialog>
  )
}
