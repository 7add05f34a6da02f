import { Button } from '@anniversary/shared/ui/Button'
import { Dialog } from '@anniversary/shared/ui/Dialog'
import { type FormEvent, type ReactNode, useId } from 'react'
import { Overlay } from '../Overlay.tsx'
import { texts } from '../texts.ts'
import styles from './FormDialog.module.css'

export interface FormDialogProps {
  title: string
  lead: string
  submitLabel: string
  busy: boolean
  /** What is wrong with the form as a whole. The toast has been heard already, so it does not speak again. */
  problem: string | null | undefined
  onSubmit(form: HTMLFormElement): void
  onClose(): void
  children: ReactNode
}

/** The dialog of the two missions that ask for something. The overlay is inside: the page's would lie below it. */
export function FormDialog({
  title,
  lead,
  submitLabel,
  busy,
  problem,
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
      open
      dismissable={false}
      title={title}
      onClose={onClose}
      actions={
        <Button type="submit" form={id} busy={busy}>
          {submitLabel}
        </Button>
      }
    >
      <form id={id} className={styles.form} noValidate onSubmit={submit}>
        <p className={styles.lead}>{lead}</p>
        {children}
        {problem && <p className={styles.problem}>{problem}</p>}
      </form>
      {busy && <Overlay text={texts.processing} />}
    </Dialog>
  )
}
