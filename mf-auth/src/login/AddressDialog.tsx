import {
  type Address,
  type Host,
  isApiError,
  type Session,
} from '@anniversary/shared/contract/host'
import { visibleText } from '@anniversary/shared/readers/visible-text'
import { FormDialog } from '@anniversary/shared/ui/FormDialog'
import { TextField } from '@anniversary/shared/ui/TextField'
import { dropFromTab, readFromTab, saveInTab } from '@anniversary/shared/ui/tab-storage'
import { useSingleFlight } from '@anniversary/shared/ui/use-single-flight'
import { useState } from 'react'
import { addressTexts as texts } from '../texts/address.ts'

interface AddressDialogProps {
  host: Host
  /** The token of the login that waits is used for this one call. */
  login: Session
  onSaved(): void
  onClose(): void
}

/** Lengths as in contract/wire.ts, addressBody. */
const FIELDS = [
  { name: 'fullname', autoComplete: 'name', required: true, maxLength: 200 },
  { name: 'phoneNumber', type: 'tel', autoComplete: 'tel', required: true, maxLength: 50 },
  { name: 'address', autoComplete: 'street-address', required: true, maxLength: 500 },
] as const

function typedIn(form: HTMLFormElement): Address {
  const typed = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()])
  return Object.fromEntries(typed) as Address // `FIELDS` and the note
}

const isComplete = (typed: Address) => FIELDS.every(({ name }) => visibleText(typed[name]) !== '')

/**
 * What was typed and not yet saved, by member: phones end pages in the
 * background.
 */
const draftKey = ({ username }: Session) => `address-draft:${username}`

const readDraft = (login: Session): Readonly<Record<string, unknown>> =>
  Object(readFromTab(draftKey(login)))

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Asks for the address (specification, section 2). No format is checked. */
export function AddressDialog({ host, login, onSaved, onClose }: AddressDialogProps) {
  const [draft] = useState(() => readDraft(login))
  const [complete, setComplete] = useState(() =>
    FIELDS.every(({ name }) => textOf(draft[name]).trim()),
  )
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle')
  const [run] = useSingleFlight()

  const onInput = (form: HTMLFormElement) => {
    const typed = typedIn(form)
    saveInTab(draftKey(login), typed)
    setComplete(isComplete(typed))
  }

  const saved = () => {
    dropFromTab(draftKey(login))
    onSaved()
  }

  const onSubmit = (form: HTMLFormElement) => {
    if (!isComplete(typedIn(form))) return
    setState('sending')
    const failed = (error?: unknown) => {
      // Nothing can be saved with the token of that login any more.
      if (isApiError(error) && error.failure === 'unauthorized') {
        host.notify.error(error.message)
        return onClose()
      }
      host.notify.error(texts.failed)
      setState('failed')
    }
    run(
      () => host.api.updateInfo(typedIn(form), login.token),
      (isSaved) => {
        if (isSaved) saved()
        else failed()
      },
      failed,
    )
  }

  return (
    <FormDialog
      title={texts.title}
      lead={texts.intro}
      submitLabel={texts.confirm}
      disabled={!complete}
      busy={state === 'sending'}
      problem={state === 'failed' ? texts.failed : null}
      onInput={onInput}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {FIELDS.map((field) => (
        <TextField
          key={field.name}
          label={texts[field.name]}
          defaultValue={textOf(draft[field.name])}
          {...field}
        />
      ))}
      <TextField
        label={texts.note}
        name="note"
        defaultValue={textOf(draft.note)}
        autoComplete="off"
        maxLength={1000}
        multiline
      />
    </FormDialog>
  )
}
