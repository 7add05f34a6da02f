import type { Host } from '@anniversary/shared/contract/host'
import { CALENDAR_FILE } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { RetryButton } from '@anniversary/shared/ui/RetryButton'
import { useEventTime } from '@anniversary/shared/ui/use-event-time'
import { useKeptFocus } from '@anniversary/shared/ui/use-kept-focus'
import type { ReactNode } from 'react'
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

export function ListLine({ host, state, store }: ListLineProps) {
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
