import type { Host, Login, Session } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { failureText } from '@anniversary/shared/error-message'
import { hasVietnameseLetter } from '@anniversary/shared/readers/plain-text'
import { useSingleFlight } from '@anniversary/shared/ui/use-single-flight'
import { type ComponentType, useState } from 'react'
import { texts } from '../texts/login.ts'
import type { AddressDialogProps } from './AddressDialog.tsx'

type LoginStep =
  | { readonly name: 'form'; readonly message?: string; readonly hint?: string }
  /** The form stays locked until /home shows. */
  | { readonly name: 'sending' }
  /** The login still needs an address; until that is saved, its token is in memory only. */
  | {
      readonly name: 'address'
      readonly login: Session
      readonly AddressDialog: ComponentType<AddressDialogProps>
    }

/** Most members never need it. React.lazy would never retry a failed load. */
const loadAddressDialog = async () =>
  (await import(/* webpackChunkName: "AddressDialog" */ './AddressDialog.tsx')).AddressDialog

/** Sends a valid login. A member who leaves the page meanwhile gets no session. */
export function useLogin(host: Host) {
  const [step, setStep] = useState<LoginStep>({ name: 'form' })
  const run = useSingleFlight()

  const backToForm = (message?: string, hint?: string) =>
    setStep({
      name: 'form',
      ...(message !== undefined && { message }),
      ...(hint !== undefined && { hint }),
    })
  const fail = (message: string, hint?: string) => {
    host.notify.error(message)
    backToForm(message, hint)
  }

  const enter = ({ token, username }: Session) => {
    try {
      host.session.start({ sign: token, username })
    } catch {
      // It throws only `StorageBlockedError`: the browser refuses cookies.
      return fail(texts.storageBlocked)
    }
    setStep({ name: 'sending' })
    host.navigate(paths.home)
  }

  const askAddress = (login: Session) =>
    run(
      loadAddressDialog,
      (AddressDialog) => setStep({ name: 'address', login, AddressDialog }),
      () => fail(texts.addressNotLoaded),
    )

  const submit = (login: Login) => {
    if (step.name !== 'form') return
    setStep({ name: 'sending' })
    run(
      () => host.api.login(login),
      (answer) => {
        const isAccented = hasVietnameseLetter(login.username)
        if (!answer.ok) return fail(texts.rejected, isAccented ? texts.inputMethod : undefined)
        const pending = { token: answer.sign, username: answer.username }
        if (answer.needsAddress) askAddress(pending)
        else enter(pending)
      },
      (error) => backToForm(failureText(error)),
    )
  }

  return { step, submit, enter, backToForm }
}
