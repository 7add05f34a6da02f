import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import {
  isStageOpen,
  lastStageBegun,
  nextMoment,
} from '@anniversary/shared/contract/event-timeline'
import type { Host, Mission } from '@anniversary/shared/contract/host'
import { useEventTime } from '@anniversary/shared/ui/use-event-time'
import { missionArtOf } from './cards/mission-art.ts'
import styles from './StageTickets.module.css'
import { missionTexts as texts } from './texts.ts'

interface StageTicketsProps {
  clock: Host['clock']
  missions: readonly Mission[]
  landing: string | null
  landed: string | null
}

const stageTickets = (missions: readonly Mission[]): number =>
  missions.reduce((sum, { codes }) => sum + codes.length, 0)

function stubsOf(missions: readonly Mission[]) {
  const stubs = missions.flatMap(({ id, tickets, codes }, index) =>
    Array.from({ length: Math.max(tickets, codes.length) }, (_, place) => ({
      id,
      art: missionArtOf(id, index),
      isFilled: place < codes.length,
    })),
  )
  const free = Math.max(0, TICKETS_PER_STAGE - stubs.length)
  const blank = { id: '', art: undefined, isFilled: false }
  return [...stubs, ...Array.from({ length: free }, () => blank)].slice(0, TICKETS_PER_STAGE)
}

/** None where no stage is open and no ticket is there. */
function wordsOf(tickets: number, now: Date): string {
  if (isStageOpen(now)) return texts.stageTickets(tickets)
  if (tickets === 0) return ''
  // Between the stages the list is that of the last one.
  return texts.stageTickets(tickets, lastStageBegun(now))
}

export function StageTickets({ clock, missions, landing, landed }: StageTicketsProps) {
  const now = useEventTime(clock)
  const tickets = stageTickets(missions)
  if (!nextMoment(now) && tickets === 0) return null
  return (
    <>
      <span className={styles.stubs} aria-hidden="true">
        {stubsOf(missions).map(({ id, art, isFilled }, place) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: places of a row have no other identity
            key={place}
            className={styles.stub}
            data-filled={(isFilled && id !== landing) || undefined}
            data-landed={id === landed || undefined}
          >
            {art && <img src={art} alt="" width="34" height="34" />}
          </span>
        ))}
      </span>
      {wordsOf(tickets, now)}
    </>
  )
}
