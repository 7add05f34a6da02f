import { Button } from '@anniversary/shared/ui/Button'
import { findMission, type HomeState } from './home-state.ts'
import styles from './Notice.module.css'
import { texts } from './texts.ts'

/** A claim was sent and no answer came: what the list, once loaded anew, says became of it. */
export const LostNotice = ({ state, onDismiss }: { state: HomeState; onDismiss(): void }) => {
  const mission = state.lost === null ? undefined : findMission(state, state.lost)
  if (!mission) return null
  const { loading, failed } = state
  const text = loading
    ? texts.lostChecking
    : failed
      ? texts.lostUnknown
      : mission.claimed === 1
        ? texts.lostGranted
        : texts.lostNotGranted
  return (
    <div className={styles.notice}>
      <p>{text(mission.name)}</p>
      {!loading && !failed && (
        <Button variant="ghost" onClick={onDismiss}>
          {texts.dismiss}
        </Button>
      )}
    </div>
  )
}
