import type { Address, Host, Session } from '@anniversary/shared/contract/host'
import { FormDialog } from '@anniversary/shared/ui/FormDialog'
import { TextField } from '@anniversary/shared/ui/TextField'
import { useSingleFlight } from '@anniversary/shared/ui/use-single-flight'
import { type ChangeEvent, useState } from 'react'
import { texts } from '../texts/address.ts'
import styles from './AddressDialog.module.css'

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

const empty: Address = { fullname: '', phoneNumber: '', address: '', note: '' }

/** Asks for the address that the login's answer requires (specification, section 2). No format is checked. */
export function AddressDialog({ host, login, draft, onSaved, onClose }: AddressDialogProps) {
  const [values, setValues] = useState<Address>(draft?.username === login.username ? draft : empty)
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle')
  const run = useSingleFlight()

  const trimmed: Address = {
    fullname: values.fullname.trim(),
    phoneNumber: values.phoneNumber.trim(),
    address: values.address.trim(),
    note: values.note.trim(),
  }
  const complete = FIELDS.every(({ name }) => trimmed[name] !== '')

  const field = (name: keyof Address) => ({
    name,
    value: values[name],
    onChange: (event: ChangeEvent<HTMLInputElement> & ChangeEvent<HTMLTextAreaElement>) => {
      const { value } = event.currentTarget
      setValues((old) => ({ ...old, [name]: value }))
    },
  })

  const onSubmit = () => {
    if (!complete) return
    setState('sending')
    const failed = () => {
      host.notify.error(texts.failed)
      setState('failed')
    }
    run(
      () => host.api.updateInfo(trimmed, login.token),
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
      onSubmit={onSubmit}
      onClose={() => onClose({ ...values, username: login.username })}
    >
      {FIELDS.map((one) => (
        <TextField key={one.name} label={texts[one.name]} {...one} {...field(one.name)} />
      ))}
      <TextField label={texts.note} autoComplete="off" maxLength={1000} multiline {...field('note')} />
      {state === 'failed' && <p className={styles.message}>{texts.failed}</p>}
    </FormDialog>
  )
}
