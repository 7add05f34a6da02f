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
  /** An error of the form as a whole. Not announced, because its toast has been. */
  problem: string | null | undefined
  onSubmit(form: HTMLFormElement): void
  onClose(): void
  children: ReactNode
}

/** Form of the share and streak missions. Has an overlay of its own, since the page's would lie below it. */
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
        <p>{lead}</p>
        {children}
        {problem && <p className={styles.problem}>{problem}</p>}
      </form>
      {busy && <Overlay text={texts.processing} />}
    </Dialog>
  )
}
