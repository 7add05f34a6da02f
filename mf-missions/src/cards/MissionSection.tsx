import { MAX_MISSION_CARDS } from '@anniversary/shared/contract/event'
import { Button } from '@anniversary/shared/ui/Button'
import { EmptyState } from '@anniversary/shared/ui/EmptyState'
import { Skeleton } from '@anniversary/shared/ui/Skeleton'
import { visuallyHidden } from '@anniversary/shared/ui/visually-hidden'
import { type HomeState, waitingTickets } from '../store/home-state.ts'
import type { HomeStore } from '../store/home-store.ts'
import { texts } from '../texts.ts'
import { ListNotice } from './ListNotice.tsx'
import { MissionCard } from './MissionCard.tsx'
import styles from './MissionSection.module.css'

/** The mission list and its notices. Skeletons have the size of cards, so that nothing moves. */
export function MissionSection({ state, store }: { state: HomeState; store: HomeStore }) {
  const { missions, loading, failed, busy } = state
  const waiting = missions && waitingTickets(missions)
  return (
    <>
      <div className={styles.status} role="status">
        {waiting ? <p className={styles.waiting}>{texts.waiting(waiting)}</p> : null}
        {missions ? <ListNotice state={state} store={store} /> : null}
        {missions || failed ? null : <p className={visuallyHidden}>{texts.loading}</p>}
      </div>
      {missions?.length === 0 ? (
        <EmptyState text={texts.empty}>
          <p>{texts.emptyHint}</p>
        </EmptyState>
      ) : missions ? (
        <ul className={styles.list} aria-label={texts.list} aria-busy={loading}>
          {missions.map((mission, index) => (
            <MissionCard
              key={mission.id}
              mission={mission}
              index={index}
              busy={busy === mission.id}
              onPress={store.press}
            />
          ))}
        </ul>
      ) : failed ? (
        <EmptyState text={texts.loadFailed}>
          <Button variant="secondary" busy={loading} onClick={store.reload}>
            {texts.retry}
          </Button>
        </EmptyState>
      ) : (
        <div className={styles.list}>
          {Array.from({ length: MAX_MISSION_CARDS }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
            <Skeleton key={place} className={styles.place} />
          ))}
        </div>
      )}
    </>
  )
}
