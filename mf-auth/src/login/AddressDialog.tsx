import type { Address, Host, Session } from '@anniversary/shared/contract/host'
import { FormDialog } from '@anniversary/shared/ui/FormDialog'
import { TextField } from '@anniversary/shared/ui/TextField'
import { useSingleFlight } from '@anniversary/shared/ui/use-single-flight'
import { useState } from 'react'
import { texts } from '../texts/address.ts'

export interface AddressDialogProps {
  host: Host
  /** The login that waits for the address; its token is used for this one call. */
  login: Session
  /** What an earlier dialog was closed with. */
  draft: AddressDraft | undefined
  onSaved(): void
  onClose(draft: AddressDraft): void
}

/** What was typed. Kept for the member's next login, because the dialog is easily closed by mistake. */
export interface AddressDraft extends Address {
  readonly username: string
}

/** Lengths as in contract/wire.ts, addressBody. */
const FIELDS = [
  { name: 'fullname', autoComplete: 'name', required: true, maxLength: 200 },
  { name: 'phoneNumber', type: 'tel', autoComplete: 'tel', required: true, maxLength: 50 },
  { name: 'address', autoComplete: 'street-address', required: true, maxLength: 500 },
] as const

/** What the form holds, trimmed. */
function typedIn(form: HTMLFormElement): Address {
  const data = new FormData(form)
  const text = (name: keyof Address) => String(data.get(name) ?? '').trim()
  return {
    fullname: text('fullname'),
    phoneNumber: text('phoneNumber'),
    address: text('address'),
    note: text('note'),
  }
}

const isComplete = (typed: Address | undefined) =>
  FIELDS.every(({ name }) => (typed?.[name] ?? '').trim() !== '')

/** Asks for the address that the login's answer requires (specification, section 2). No format is checked. */
export function AddressDialog({ host, login, draft, onSaved, onClose }: AddressDialogProps) {
  const own = draft?.username === login.username ? draft : undefined
  const [complete, setComplete] = useState(() => isComplete(own))
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle')
  const run = useSingleFlight()

  const onSubmit = (form: HTMLFormElement) => {
    if (!complete) return
    setState('sending')
    const failed = () => {
      host.notify.error(texts.failed)
      setState('failed')
    }
    run(
      () => host.api.updateInfo(typedIn(form), login.token),
      (saved) => (saved ? onSaved() : failed()),
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
      onInput={(form) => setComplete(isComplete(typedIn(form)))}
      onSubmit={onSubmit}
      onClose={(form) => onClose({ ...typedIn(form), username: login.username })}
    >
      {FIELDS.map((field) => (
        <TextField key={field.name} label={texts[field.name]} defaultValue={own?.[field.name]} {...field} />
      ))}
      <TextField
        label={texts.note}
        name="note"
        autoComplete="off"
        maxLength={1000}
        multiline
        defaultValue={own?.note}
      />
    </FormDialog>
  )
}
