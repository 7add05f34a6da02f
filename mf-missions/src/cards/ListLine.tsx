import { nextMoment } from '@anniversary/shared/contract/event-timeline'
import type { Host } from '@anniversary/shared/contract/host'
import { CALENDAR_FILE } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { RetryButton } from '@anniversary/shared/ui/RetryButton'
import { useEventTime } from '@anniversary/shared/ui/use-event-time'
import { useKeptFocus } from '@anniversary/shared/ui/use-kept-focus'
import { type ReactNode, useEffect, useRef } from 'react'
import type { HomeState } from '../store/home-state.ts'
import type { HomeStore } from '../store/home-store.ts'
import { missionTexts as texts } from '../texts.ts'
import { foldText, listStatusOf } from './list-status.ts'
import styles from './MissionSection.module.css'

interface FoldedCardsProps {
  host: Host
  count: number
  children: ReactNode
}

export function FoldedCards({ host, count, children }: FoldedCardsProps) {
  const text = foldText(count, useEventTime(host.clock))
  const fold = useKeptFocus<HTMLDetailsElement>()
  return (
    <details ref={fold} className={styles.fold}>
      <summary>{text}</summary>
      <ul className={styles.list} aria-label={text}>
        {children}
      </ul>
    </details>
  )
}

interface ListLineProps {
  host: Host
  state: HomeState
  store: HomeStore
}

/** A list is out of date after so many milliseconds. */
const OLD_MS = 60_000

/** Members go elsewhere to deposit, and come back to claim. */
function useReloadOnReturn({ host, state: { loading }, store }: ListLineProps): void {
  const loadedAt = useRef(0)
  useEffect(() => {
    if (!loading) loadedAt.current = Date.now()
  }, [loading])
  useEffect(() => {
    const ended = new AbortController()
    const onShown = () => {
      if (ended.signal.aborted) return
      if (document.visibilityState !== 'visible') return
      if (!host.session.current()) return
      if (store.state().loading) return
      // The absolute value, because the clock may be set back.
      if (Math.abs(Date.now() - loadedAt.current) < OLD_MS) return
      // A moment has just passed: it makes its own call.
      const now = host.clock.now()
      if (nextMoment(now) === nextMoment(new Date(now.getTime() - OLD_MS))) store.reloadOnline()
    }
    // Later, because `pageshow` or a moment during sleep may load the list first.
    const onFront = () => setTimeout(onShown, 1000)
    const options = { signal: ended.signal }
    document.addEventListener('visibilitychange', onFront, options)
    // Another window of the desktop hides no page.
    addEventListener('focus', onFront, options)
    return () => ended.abort()
  }, [host, store])
}

export function ListLine(props: ListLineProps) {
  const { host, state, store } = props
  useReloadOnReturn(props)
  const status = listStatusOf(state, useEventTime(host.clock))
  switch (status.kind) {
    case 'stale':
      return (
        <>
          <p>{texts.stale}</p>
          <RetryButton busy={state.loading} onClick={store.reload}>
            {texts.retry}
          </RetryButton>
        </>
      )
    case 'waiting':
      return <p className={styles.waiting}>{status.text}</p>
    case 'until-draw':
      return (
        <>
          <p>
            {status.strong && <b>{status.strong}</b>} {status.text}
          </p>
          <Button variant="secondary" className={styles.calendar} href={CALENDAR_FILE}>
            {texts.addToCalendar}
          </Button>
        </>
      )
    case 'nothing':
      return null
  }
}
