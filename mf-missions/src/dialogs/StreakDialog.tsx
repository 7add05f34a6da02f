import { shortDay } from '@anniversary/shared/contract/event-time'
import type { Notify } from '@anniversary/shared/contract/host'
import { STREAK_DAYS } from '@anniversary/shared/contract/missions'
import { FormDialog } from '@anniversary/shared/ui/FormDialog'
import { TextField } from '@anniversary/shared/ui/TextField'
import { useState } from 'react'
import { Overlay } from '../Overlay.tsx'
import { texts as common } from '../texts.ts'
import { texts } from './form-texts.ts'

const DAY_MS = 86_400_000

export interface StreakDialogProps {
  notify: Notify
  busy: boolean
  problem: string | null
  /** Both `YYYY-MM-DD`, the value of a native date input. */
  onSubmit(range: { start: string; end: string }): void
  onClose(): void
}

/** Form of the streak mission: first and last day of the deposits. */
export function StreakDialog({ notify, busy, problem, onSubmit, onClose }: StreakDialogProps) {
  const [start, setStart] = useState('')
  const [end, setEnd] = useState('')
  const [showErrors, setShowErrors] = useState(false)
  const incomplete = start === '' || end === ''

  const submit = (form: HTMLFormElement) => {
    setShowErrors(incomplete)
    if (!incomplete) return onSubmit({ start, end })
    notify.error(texts.streakIncomplete)
    form.querySelectorAll('input')[start === '' ? 0 : 1]?.focus()
  }
  const days = 1 + (Date.parse(end) - Date.parse(start)) / DAY_MS
  // A date field speaks the browser's language, so the chosen day is said again; WebKit shows today in an empty one.
  const messageOf = (day: string) =>
    day !== ''
      ? { hint: day === end && days > 0 ? texts.dayCount(shortDay(day), days) : shortDay(day) }
      : showErrors
        ? { error: texts.dateMissing }
        : { hint: texts.dateMissing }

  return (
    <FormDialog
      title={texts.streakTitle}
      lead={texts.streakLead(STREAK_DAYS)}
      submitLabel={common.check}
      busy={busy}
      problem={showErrors && incomplete ? texts.streakIncomplete : problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={texts.streakStart}
        type="date"
        required
        max={end}
        value={start}
        {...messageOf(start)}
        onChange={(event) => setStart(event.target.value)}
      />
      <TextField
        label={texts.streakEnd}
        type="date"
        required
        min={start}
        value={end}
        {...messageOf(end)}
        onChange={(event) => setEnd(event.target.value)}
      />
      {busy && <Overlay text={common.processing} />}
    </FormDialog>
  )
}
