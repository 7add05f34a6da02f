import { STAGES, TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { nextMoment } from '@anniversary/shared/contract/event-timeline'
import type { Host, Mission } from '@anniversary/shared/contract/host'
import { useEventTime } from '@anniversary/shared/ui/use-event-time'
import styles from './HomePage.module.css'
import { stageTickets } from './store/home-state.ts'
import { texts } from './texts.ts'

/** How many of the stage's tickets the member has, as a strip of stubs and in words. Nothing where no stage is open and none are there. */
export function StageTickets({
  clock,
  missions,
}: {
  clock: Host['clock']
  missions: readonly Mission[]
}) {
  const moment = nextMoment(useEventTime(clock))
  const tickets = stageTickets(missions)
  const isOpen = moment?.kind === 'stage-end'
  if (!isOpen && tickets === 0) return null
  // Between the stages the list is that of the last one.
  const shown = moment?.kind === 'stage-start' ? moment.stage - 1 : (moment?.stage ?? STAGES.length)
  return (
    <>
      <span className={styles.stubs} aria-hidden="true">
        {Array.from({ length: TICKETS_PER_STAGE }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places of a strip have no other identity
          <span key={place} data-filled={place < tickets || undefined} />
        ))}
      </span>{' '}
      {texts.stageTickets(tickets, isOpen ? undefined : shown)}
    </>
  )
}
