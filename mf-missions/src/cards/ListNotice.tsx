import { Button } from '@anniversary/shared/ui/Button'
import type { HomeState } from '../store/home-state.ts'
import type { HomeStore } from '../store/home-store.ts'
import { texts } from '../texts.ts'
import styles from './ListNotice.module.css'

/** Says that the list could not be reloaded, or whether it has the tickets of a claim that got no answer. */
export function ListNotice({ state, store }: { state: HomeState; store: HomeStore }) {
  const { missions, loading, failed, lost } = state
  const mission = missions?.find(({ id }) => id === lost)
  const outcome = mission?.claimed === 1 ? texts.lostGranted : texts.lostNotGranted
  const text = failed ? texts.stale : mission && (loading ? texts.lostChecking : outcome(mission.name))
  if (!text) return null
  return (
    <div className={styles.notice}>
      <p>{text}</p>
      <Button variant="ghost" busy={loading} onClick={failed ? store.reload : store.dismissLost}>
        {failed ? texts.retry : texts.dismiss}
      </Button>
    </div>
  )
}
