import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { shellTexts as texts } from '../texts.ts'
import { closeToast, notifyMember } from '../toasts/toast-store.ts'
import styles from './Notice.module.css'

/**
 * Calls that the server put off, with the time of `performance.now()` at which
 * each is sent again.
 */
const calls = new Map<Promise<unknown>, number>()
const busy = createStore<{ seconds?: number }>(() => ({}))

function count(): void {
  const left = Math.max(...calls.values()) - performance.now()
  busy.setState(calls.size > 0 ? { seconds: Math.max(0, Math.ceil(left / 1000)) } : {}, true)
}

let shownSince = 0
let areForNext = false

/** For a login, whose page has no call left, and which asks for the next page's list. */
export function keepPutOffs(): void {
  areForNext = true
}

/** For a new page, whose members do not wait for the calls of the one before. */
export function forgetPutOffs(): void {
  const areKept = areForNext
  areForNext = false
  if (areKept) return
  shownSince = performance.now()
  calls.clear()
  count()
  closeToast(texts.busy.text)
}

export function showPutOff(ms: number, answered: Promise<unknown>, since: number): void {
  if (since < shownSince) return
  // A modal dialog makes the banner inert.
  if (document.querySelector('dialog[open]')) notifyMember.info(texts.busy.text, { duration: ms })
  calls.set(answered, performance.now() + ms)
  count()
  const counting = setInterval(count, 1000)
  const end = () => {
    clearInterval(counting)
    calls.delete(answered)
    if (calls.size === 0) closeToast(texts.busy.text)
    count()
  }
  answered.then(end, end)
}

export function BusyBanner() {
  const { seconds } = useStore(busy)
  if (seconds === undefined) return null
  return (
    <div className={styles.banner}>
      {texts.busy.text}
      {/* A timer: screen readers say it when they are asked, not each second. */}
      <span role="timer">{seconds > 0 ? texts.busy.again(seconds) : texts.busy.now}</span>
    </div>
  )
}
