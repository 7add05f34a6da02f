import { shortDay } from '@anniversary/shared/contract/event-time'
import type { Notify } from '@anniversary/shared/contract/host'
import { STREAK_DAYS } from '@anniversary/shared/contract/missions'
import { afterPaint } from '@anniversary/shared/ui/after-paint'
import { FormDialog } from '@anniversary/shared/ui/FormDialog'
import { TextField } from '@anniversary/shared/ui/TextField'
import { useState } from 'react'
import { Overlay } from '../Overlay.tsx'
import { missionTexts as common } from '../texts.ts'
import { formTexts as texts } from './form-texts.ts'

const DAY_MS = 86_400_000

interface StreakDialogProps {
  notify: Notify
  busy: boolean
  problem: string | null
  onSubmit(range: { start: string; end: string }): void
  onClose(): void
}

export function StreakDialog({ notify, busy, problem, onSubmit, onClose }: StreakDialogProps) {
  const [{ start, end }, setRange] = useState({ start: '', end: '' })
  const [tried, setTried] = useState(false)
  const incomplete = [start, end].includes('')

  const onInput = (form: HTMLFormElement) => {
    const data = new FormData(form)
    setRange({ start: String(data.get('start')), end: String(data.get('end')) })
  }
  const submit = (form: HTMLFormElement) => {
    if (!incomplete) return onSubmit({ start, end })
    afterPaint(() => {
      setTried(true)
      notify.error(texts.streakIncomplete)
      form.querySelectorAll('input')[[start, end].indexOf('')]?.focus()
    })
  }
  const days = 1 + (Date.parse(end) - Date.parse(start)) / DAY_MS
  // The field speaks the browser's language, and WebKit shows today in an empty
  // one.
  const messageOf = (day: string) => {
    if (day === '' && tried) return { error: texts.dateMissing }
    if (day === '') return { hint: texts.dateMissing }
    if (day === end && days > 0) return { hint: texts.dayCount(shortDay(day), days) }
    return { hint: shortDay(day) }
  }

  return (
    <FormDialog
      title={texts.streakTitle(STREAK_DAYS)}
      lead={texts.streakLead(STREAK_DAYS)}
      submitLabel={common.check}
      busy={busy}
      problem={tried && incomplete ? texts.streakIncomplete : problem}
      onInput={onInput}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={texts.streakStart}
        type="date"
        required
        max={end}
        name="start"
        {...messageOf(start)}
      />
      <TextField
        label={texts.streakEnd}
        type="date"
        required
        min={start}
        name="end"
        {...messageOf(end)}
      />
      <Overlay isShown={busy} />
    </FormDialog>
  )
}
