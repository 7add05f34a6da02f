import type { Mission } from '@anniversary/shared/contract/host'
import { EmptyState } from '@anniversary/shared/ui/EmptyState'
import { MissionCard } from './MissionCard.tsx'
import styles from './MissionList.module.css'
import { texts } from './texts.ts'

export interface MissionListProps {
  missions: readonly Mission[]
  loading: boolean
  busy: string | null
  onPress(mission: Mission): void
}

/** The cards in the server's order. */
export const MissionList = ({ missions, loading, busy, onPress }: MissionListProps) =>
  missions.length === 0 ? (
    <EmptyState text={texts.empty}>{texts.emptyHint}</EmptyState>
  ) : (
    <ul className={styles.list} aria-label={texts.list} aria-busy={loading || undefined}>
      {missions.map((mission, index) => (
        <MissionCard key={mission.id} mission={mission} index={index} busy={busy} onPress={onPress} />
      ))}
    </ul>
  )
