import { MAX_MISSION_CARDS } from '@anniversary/shared/contract/event'
import { isStageOpen } from '@anniversary/shared/contract/event-timeline'
import type { Host, Mission } from '@anniversary/shared/contract/host'
import { Button } from '@anniversary/shared/ui/Button'
import { EmptyState } from '@anniversary/shared/ui/EmptyState'
import { RetryButton } from '@anniversary/shared/ui/RetryButton'
import { Skeleton } from '@anniversary/shared/ui/Skeleton'
import { SupportLink } from '@anniversary/shared/ui/SupportLink'
import { useEventTime } from '@anniversary/shared/ui/use-event-time'
import type * as HomeExtras from '../HomeExtras.tsx'
import type { HomeState } from '../store/home-state.ts'
import type { HomeStore } from '../store/home-store.ts'
import { missionTexts as texts } from '../texts.ts'
import { lostText } from './lost-text.ts'
import { MissionCard } from './MissionCard.tsx'
import styles from './MissionSection.module.css'

interface MissionSectionProps {
  host: Host
  state: HomeState
  store: HomeStore
  extras: typeof HomeExtras | undefined
}

/** Skeletons have the size of cards, so that nothing moves. */
export const MissionSection = (props: MissionSectionProps) => (
  <>
    <div className={styles.status} role="status">
      <Status {...props} />
    </div>
    <List {...props} />
  </>
)

function List(props: MissionSectionProps) {
  const { host, state, store } = props
  const { missions, loading, failed, refusal } = state
  if (missions?.length === 0)
    return (
      <EmptyState text={texts.empty}>
        <p>{texts.emptyHint}</p>
        <Button variant="secondary" onClick={host.rules.open}>
          {texts.rules}
        </Button>
      </EmptyState>
    )
  if (missions) return <Cards {...props} missions={missions} />
  if (failed)
    return (
      <EmptyState text={refusal ?? texts.loadFailed}>
        {refusal && <SupportLink url={host.config.supportUrl} />}
        <RetryButton busy={loading} onClick={store.reload}>
          {texts.retry}
        </RetryButton>
      </EmptyState>
    )
  return (
    <div className={styles.list}>
      {Array.from({ length: MAX_MISSION_CARDS }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
        <Skeleton key={place} />
      ))}
    </div>
  )
}

/**
 * Where no stage is open, cards that nobody can claim are behind one line. A
 * browser's clock may be wrong, and hides none.
 */
function Cards({
  host,
  state,
  store,
  extras,
  missions,
}: MissionSectionProps & { missions: readonly Mission[] }) {
  const { order, busy, landing, loading, lost } = state
  const isOpen = isStageOpen(useEventTime(host.clock)) || host.clock.isSet?.() === false
  // A lost claim's card says what became of it.
  const isFolded = ({ id, claimed }: Mission) => !isOpen && claimed === 0 && id !== lost
  const shown = order.flatMap((id) => missions.find((mission) => mission.id === id) ?? [])
  const folded = shown.filter(isFolded)
  const open = shown.filter((mission) => !isFolded(mission))
  const cardOf = (mission: Mission) => (
    <MissionCard
      key={mission.id}
      mission={mission}
      index={missions.indexOf(mission)}
      busy={busy === mission.id}
      isLanding={landing === mission.id}
      notice={lostText(state, mission)}
      onPress={store.press}
    />
  )
  return (
    <>
      {open.length > 0 && (
        <ul className={styles.list} aria-label={texts.list} aria-busy={loading}>
          {open.map(cardOf)}
        </ul>
      )}
      {folded.length > 0 && extras && (
        <extras.FoldedCards host={host} count={folded.length}>
          {folded.map(cardOf)}
        </extras.FoldedCards>
      )}
    </>
  )
}

/** Without a list it asks for no time: the page is prerendered so. */
function Status(props: MissionSectionProps) {
  const { missions, failed } = props.state
  if (missions) return props.extras && <props.extras.ListLine {...props} />
  if (failed) return null
  return <p>{texts.loading}</p>
}
