import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { texts } from '../texts.ts'
import styles from './Notice.module.css'

/** Calls that the server put off, with the time of `performance.now()` at which each is sent again. */
const putOff = createStore(() => ({ calls: new Map<Promise<unknown>, number>() }))

/** Shows the banner until the call is answered. */
export function showPutOff(ms: number, answered: Promise<unknown>): void {
  const change = (edit: (calls: Map<Promise<unknown>, number>) => void) =>
    putOff.setState(({ calls }) => {
      const edited = new Map(calls)
      edit(edited)
      return { calls: edited }
    })
  change((calls) => calls.set(answered, performance.now() + ms))
  const end = () => change((calls) => calls.delete(answered))
  answered.then(end, end)
}

/** Says that many people are here, and in how many seconds the page tries again by itself. */
export function BusyBanner() {
  const { calls } = useStore(putOff)
  const [, tick] = useState(0)
  const isShown = calls.size > 0
  useEffect(() => {
    if (!isShown) return
    const ticking = setInterval(() => tick((ticks) => ticks + 1), 1000)
    return () => clearInterval(ticking)
  }, [isShown])
  if (!isShown) return null
  const seconds = Math.ceil((Math.max(...calls.values()) - performance.now()) / 1000)
  return (
    <div className={styles.banner}>
      <span>
        {texts.busy.text} {/* A timer: screen readers say it when they are asked, not each second. */}
        <span role="timer">{seconds > 0 ? texts.busy.again(seconds) : texts.busy.now}</span>
      </span>
    </div>
  )
}
