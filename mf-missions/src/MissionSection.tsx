import { Button } from '@anniversary/shared/ui/Button'
import { EmptyState } from '@anniversary/shared/ui/EmptyState'
import { type HomeState, waitingTickets } from './home-state.ts'
import type { HomeStore } from './home-store.ts'
import { LostNotice } from './LostNotice.tsx'
import { MissionList } from './MissionList.tsx'
import { MissionSkeleton } from './MissionSkeleton.tsx'
import styles from './Notice.module.css'
import { texts } from './texts.ts'

/** The list in each of its states, and what is to be said about it. */
export const MissionSection = ({ state, store }: { state: HomeState; store: HomeStore }) => {
  const { missions, loading, failed, busy } = state
  const retry = (
    <Button variant="secondary" busy={loading} onClick={store.reload}>
      {texts.retry}
    </Button>
  )
  if (missions === null)
    return failed ? <EmptyState text={texts.loadFailed}>{retry}</EmptyState> : <MissionSkeleton />

  const waiting = waitingTickets(missions)
  return (
    <>
      <div role="status">
        {waiting > 0 && <p className={styles.waiting}>{texts.waiting(waiting)}</p>}
        <LostNotice state={state} onDismiss={store.dismissLost} />
      </div>
      {failed && (
        <div className={styles.notice}>
          <p>{texts.stale}</p>
          {retry}
        </div>
      )}
      <MissionList missions={missions} loading={loading} busy={busy} onPress={store.press} />
    </>
  )
}
