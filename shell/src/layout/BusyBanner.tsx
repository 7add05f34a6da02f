import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { shellTexts as texts } from '../texts.ts'
import { notifyMember } from '../toasts/toast-store.ts'
import styles from './Notice.module.css'

/**
 * Calls that the server put off, with the time of `performance.now()` at which
 * each is sent again.
 */
const calls = new Map<Promise<unknown>, number>()
const busy = createStore<{ seconds: number | undefined }>(() => ({ seconds: undefined }))

function count(): void {
  const left = Math.max(...calls.values()) - performance.now()
  busy.setState({ seconds: calls.size > 0 ? Math.max(0, Math.ceil(left / 1000)) : undefined })
}

export function showPutOff(ms: number, answered: Promise<unknown>): void {
  // A modal dialog makes the banner inert.
  if (document.querySelector('dialog[open]')) notifyMember.info(texts.busy.text, { duration: ms })
  calls.set(answered, performance.now() + ms)
  count()
  const counting = setInterval(count, 1000)
  const end = () => {
    clearInterval(counting)
    calls.delete(answered)
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
