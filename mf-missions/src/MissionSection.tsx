import { Button } from '@anniversary/shared/ui/Button'
import { EmptyState } from '@anniversary/shared/ui/EmptyState'
import type { HomeState } from './home-state.ts'
import type { HomeStore } from './home-store.ts'
import { MissionList } from './MissionList.tsx'
import { MissionSkeleton } from './MissionSkeleton.tsx'
import { texts } from './texts.ts'

/** The list in each of its states: loading, failed, there. */
export const MissionSection = ({ state, store }: { state: HomeState; store: HomeStore }) => {
  const { missions, loading, failed, busy } = state
  if (missions === null)
    return failed ? (
      <EmptyState text={texts.loadFailed}>
        <Button busy={loading} onClick={store.reload}>
          {texts.retry}
        </Button>
      </EmptyState>
    ) : (
      <MissionSkeleton />
    )
  return <MissionList missions={missions} loading={loading} busy={busy} onPress={store.press} />
}
