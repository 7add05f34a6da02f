import { MAX_MISSION_CARDS } from '@anniversary/shared/contract/event'
import { Skeleton } from '@anniversary/shared/ui/Skeleton'
import { visuallyHidden } from '@anniversary/shared/ui/VisuallyHidden'
import styles from './MissionList.module.css'
import { texts } from './texts.ts'

const places = Array.from({ length: MAX_MISSION_CARDS }, (_, index) => index)

/** The places of six cards while the list loads, as large as the cards. */
export const MissionSkeleton = () => (
  <div className={styles.list} role="status">
    <span className={visuallyHidden}>{texts.loading}</span>
    {places.map((place) => (
      <Skeleton key={place} height="auto" />
    ))}
  </div>
)
