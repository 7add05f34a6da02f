import { type Host, isApiError, type Login } from '@anniversary/shared/contract/host'
import { paths } from '@anniversary/shared/contract/paths'
import { useEffect, useRef, useState } from 'react'
import { texts } from '../texts/login.ts'

/** A login that still needs an address. Its token lives here, in memory, until the address is saved. */
export interface PendingLogin {
  readonly sign: string
  readonly username: string
}

export type LoginStep =
  | { readonly name: 'form'; readonly message?: string }
  | { readonly name: 'sending' }
  | { readonly name: 'address'; readonly login: PendingLogin }
  /** The session is saved and the app is on its way to /home; the form stays locked. */
  | { readonly name: 'leaving' }

/**
 * The login from the valid form on. Only one runs at a time, and one whose page is gone starts no session: the member
 * pressed back meanwhile.
 */
export function useLogin(host: Host) {
  const [step, setStep] = useState<LoginStep>({ name: 'form' })
  // State is a render late for the second of two quick taps.
  const locked = useRef(false)
  const alive = useRef(false)
  useEffect(() => {
    alive.current = true
    return () => {
      alive.current = false
    }
  }, [])

  const backToForm = (message?: string) => {
    locked.current = false
    setStep({ name: 'form', ...(message !== undefined && { message }) })
  }

  /** Saves the session and goes to /home. */
  const enter = (login: PendingLogin) => {
    try {
      host.session.start(login)
    } catch {
      // It throws for one reason: the browser refuses cookies (StorageBlockedError).
      return backToForm(texts.storageBlocked)
    }
    setStep({ name: 'leaving' })
    host.navigate(paths.home)
  }

  const submit = async (login: Login) => {
    if (locked.current) return
    locked.current = true
    setStep({ name: 'sending' })
    try {
      const answer = await host.api.login(login)
      if (!alive.current) return
      if (!answer.ok) {
        host.notify.error(texts.rejected)
        backToForm(texts.rejected)
      } else if (answer.needsAddress) {
        setStep({ name: 'address', login: { sign: answer.sign, username: answer.username } })
      } else enter({ sign: answer.sign, username: answer.username })
    } catch (error) {
      // The interceptor has shown the toast; its words stay beside the button.
      if (alive.current) backToForm((isApiError(error) && error.message) || texts.unreachable)
    }
  }

  return { step, submit, enter, backToForm }
}
