import type { Host, Login, Session } from '@anniversary/shared/contract/host'
import { LAST_ACCOUNT_KEY } from '@anniversary/shared/contract/page-names'
import { paths } from '@anniversary/shared/contract/paths'
import { failureText, isForbidden } from '@anniversary/shared/error-message'
import { hasVietnameseLetter } from '@anniversary/shared/readers/visible-text'
import { afterPaint } from '@anniversary/shared/ui/after-paint'
import {
  attemptStorage,
  dropFromTab,
  readFromTab,
  saveInTab,
} from '@anniversary/shared/ui/tab-storage'
import { useChunk } from '@anniversary/shared/ui/use-chunk'
import { useSingleFlight } from '@anniversary/shared/ui/use-single-flight'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { loginTexts as texts } from '../texts/login.ts'

type LoginStep =
  | { readonly name: 'form'; readonly problem?: LoginProblem }
  | { readonly name: 'sending' }
  /** The form stays locked until /home shows. */
  | { readonly name: 'entering'; readonly username: string }
  /**
   * The login still needs an address. Until that is saved, its token is no
   * session, but it survives a reload in this tab.
   */
  | { readonly name: 'address'; readonly login: Session }

interface LoginProblem {
  readonly text: string
  readonly advice?: string
  readonly isForSupport?: boolean
}

const PENDING_KEY = 'pending-login'
/**
 * From this failure on the page names a lock as a possible reason, for any
 * account: it reveals nothing.
 */
const FAILURES_BEFORE_ADVICE = 3

/** Most members never need it. */
const loadAddressForm = () => import(/* webpackChunkName: "AddressDialog" */ './AddressDialog.tsx')

function readPending(): Session | undefined {
  const saved: Partial<Record<keyof Session, unknown>> = Object(readFromTab(PENDING_KEY))
  const { token, username } = saved
  if (typeof token !== 'string' || typeof username !== 'string') return undefined
  return { token, username }
}

/** A member who leaves the page meanwhile gets no session. */
export function useLogin(host: Host) {
  const [step, setStep] = useState<LoginStep>({ name: 'form' })
  const failures = useRef(0)
  const [run] = useSingleFlight()

  const backToForm = (problem?: LoginProblem) => {
    dropFromTab(PENDING_KEY)
    setStep({ name: 'form', ...(problem && { problem }) })
  }
  const fail = (problem: LoginProblem) => {
    host.notify.error(problem.text)
    backToForm(problem)
  }

  const enter = ({ token, username }: Session) => {
    dropFromTab(PENDING_KEY)
    try {
      host.session.start({ sign: token, username })
    } catch {
      // It throws only `StorageBlockedError`: the browser refuses cookies.
      return fail({ text: texts.storageBlocked })
    }
    attemptStorage(() => localStorage.setItem(LAST_ACCOUNT_KEY, username))
    setStep({ name: 'entering', username })
    host.navigate(paths.home)
  }

  const askAddress = (login: Session) => {
    saveInTab(PENDING_KEY, login)
    setStep({ name: 'address', login })
  }

  const reject = ({ username }: Login) => {
    failures.current++
    const text = texts.rejected
    if (failures.current >= FAILURES_BEFORE_ADVICE)
      return fail({ text, advice: texts.mayBeLocked, isForSupport: true })
    if (hasVietnameseLetter(username)) return fail({ text, advice: texts.inputMethod })
    fail({ text })
  }

  const submit = (login: Login) => {
    if (step.name !== 'form') return
    setStep({ name: 'sending' })
    run(
      () => host.api.login(login),
      (answer) => {
        if (!answer.ok) return reject(login)
        const session = { token: answer.sign, username: answer.username }
        if (answer.needsAddress) askAddress(session)
        else enter(session)
      },
      (error) => backToForm({ text: failureText(error), isForSupport: isForbidden(error) }),
    )
  }

  // The back-forward cache keeps the locked form with what was typed, which
  // nobody else may see.
  const unlock = useEffectEvent(({ persisted }: PageTransitionEvent) => {
    if (persisted && step.name === 'entering') host.reload()
  })
  useEffect(() => {
    const left = new AbortController()
    addEventListener('pageshow', (event) => unlock(event), { signal: left.signal })
    return () => left.abort()
  }, [])

  // What was pressed before hydration may have begun another member's login.
  const resume = useEffectEvent((pending: Session) => {
    if (step.name === 'form') askAddress(pending)
  })
  useEffect(() => {
    const pending = readPending()
    if (pending) afterPaint(() => resume(pending))
  }, [])

  const addressForm = useChunk(loadAddressForm, step.name === 'address' && step, () =>
    fail({ text: texts.addressNotLoaded }),
  )

  return { step, addressForm, submit, enter, backToForm }
}
