import { DRAWS, MAX_MISSION_CARDS, STAGES } from '@anniversary/shared/contract/event'
import { shortDay } from '@anniversary/shared/contract/event-time'
import { nextMoment } from '@anniversary/shared/contract/event-timeline'
import type { Host } from '@anniversary/shared/contract/host'
import { CALENDAR_FILE } from '@anniversary/shared/contract/paths'
import { Button } from '@anniversary/shared/ui/Button'
import { EmptyState } from '@anniversary/shared/ui/EmptyState'
import { Skeleton } from '@anniversary/shared/ui/Skeleton'
import { useEventTime } from '@anniversary/shared/ui/use-event-time'
import { type HomeState, waitingTickets } from '../store/home-state.ts'
import type { HomeStore } from '../store/home-store.ts'
import { texts } from '../texts.ts'
import { MissionCard } from './MissionCard.tsx'
import styles from './MissionSection.module.css'

interface MissionSectionProps {
  host: Host
  state: HomeState
  store: HomeStore
}

/** The mission list, and one line above it. Skeletons have the size of cards, so that nothing moves. */
export function MissionSection({ host, state, store }: MissionSectionProps) {
  const { missions, loading, failed, refusal, busy, lost } = state
  return (
    <>
      <div className={styles.status} role="status">
        {missions ? <Status {...{ host, state, store }} /> : !failed && <p>{texts.loading}</p>}
      </div>
      {missions?.length === 0 ? (
        <EmptyState text={texts.empty}>
          <p>{texts.emptyHint}</p>
          <Button variant="secondary" onClick={host.rules.open}>
            {texts.rules}
          </Button>
        </EmptyState>
      ) : missions ? (
        <ul className={styles.list} aria-label={texts.list} aria-busy={loading}>
          {missions.map((mission, index) => (
            <MissionCard
              key={mission.id}
              mission={mission}
              index={index}
              busy={busy === mission.id}
              notice={lost === mission.id ? lostText(state, mission.claimed === 1) : undefined}
              onPress={store.press}
            />
          ))}
        </ul>
      ) : failed ? (
        <EmptyState text={refusal ?? texts.loadFailed}>
          {refusal && host.config.supportUrl && (
            <a href={host.config.supportUrl} target="_blank" rel="noreferrer">
              {texts.support}
            </a>
          )}
          <Button variant="secondary" busy={loading} onClick={store.reload}>
            {texts.retry}
          </Button>
        </EmptyState>
      ) : (
        <div className={styles.list}>
          {Array.from({ length: MAX_MISSION_CARDS }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
            <Skeleton key={place} />
          ))}
        </div>
      )}
    </>
  )
}

const lostText = ({ loading, failed }: HomeState, granted: boolean) =>
  failed
    ? texts[navigator.onLine ? 'lostFailed' : 'lostOffline']
    : loading
      ? texts.lostChecking
      : granted
        ? texts.lostGranted
        : texts.lostNotGranted

/** That the list is old, or what waits to be claimed, or that all is done, or when claiming opens again. */
function Status({ host, state: { missions, loading, failed }, store }: MissionSectionProps) {
  const now = useEventTime(host.clock)
  const moment = nextMoment(now)
  if (failed)
    return (
      <>
        <p>{texts.stale}</p>
        <Button variant="secondary" busy={loading} onClick={store.reload}>
          {texts.retry}
        </Button>
      </>
    )
  // After the event the place of the clock says so.
  if (!moment || !missions) return null
  const draw = DRAWS.find(({ start }) => new Date(start) > now)
  const seeYou = draw && texts.seeYou(shortDay(draw.start).slice(0, 5))
  const calendar = (
    <Button variant="secondary" className={styles.calendar} href={CALENDAR_FILE}>
      {texts.addToCalendar}
    </Button>
  )
  if (moment.kind === 'stage-end') {
    const waiting = waitingTickets(missions)
    if (waiting > 0) return <p className={styles.waiting}>{texts.waiting(waiting)}</p>
    if (missions.length === 0 || missions.some(({ claimed }) => claimed !== 1)) return null
    return (
      <>
        <p>
          <b>{texts.allClaimed}</b> {seeYou}
        </p>
        {calendar}
      </>
    )
  }
  const over = moment.stage - (moment.kind === 'stage-start' ? 1 : 0)
  const next = STAGES[over]
  return (
    <>
      <p>
        {over > 0 ? texts.over(over) : texts.notYet}{' '}
        {next ? texts.opens(next.number, shortDay(next.firstDay)) : seeYou}
      </p>
      {calendar}
    </>
  )
}
