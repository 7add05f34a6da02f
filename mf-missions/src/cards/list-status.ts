import { DRAWS, STAGES } from '@anniversary/shared/contract/event'
import { shortDay } from '@anniversary/shared/contract/event-time'
import {
  isStageOpen,
  lastStageBegun,
  nextMoment,
} from '@anniversary/shared/contract/event-timeline'
import type { Mission } from '@anniversary/shared/contract/host'
import type { HomeState } from '../store/home-state.ts'
import { missionTexts as texts } from '../texts.ts'

type ListStatus =
  | { readonly kind: 'nothing' | 'stale' }
  | { readonly kind: 'waiting'; readonly text: string }
  /** All is claimed, or no stage is open: with the calendar of the draws. */
  | { readonly kind: 'until-draw'; readonly strong?: string; readonly text: string }

const nothing: ListStatus = { kind: 'nothing' }

const dayOf = (iso: string) => shortDay(iso).slice(0, 5)

function nextDrawText(now: Date): string {
  const draw = DRAWS.find(({ start }) => new Date(start) > now)
  if (!draw) return ''
  return texts.seeYou(dayOf(draw.start))
}

const waitingTickets = (missions: readonly Mission[]): number =>
  missions.filter(({ claimed }) => claimed === 2).reduce((sum, { tickets }) => sum + tickets, 0)

function openStageStatus(missions: NonNullable<HomeState['missions']>, now: Date): ListStatus {
  const waiting = waitingTickets(missions)
  if (waiting > 0) return { kind: 'waiting', text: texts.waiting(waiting) }
  const isAllClaimed = missions.length > 0 && missions.every(({ claimed }) => claimed === 1)
  if (!isAllClaimed) return nothing
  return { kind: 'until-draw', strong: texts.allClaimed, text: nextDrawText(now) }
}

/** Undefined while a stage is open and after the last. */
function closedUntil(
  now: Date,
): { ended: number; opens: (typeof STAGES)[number] | undefined } | null {
  if (isStageOpen(now)) return null
  const ended = lastStageBegun(now)
  return { ended, opens: STAGES[ended] }
}

export function listStatusOf({ missions, failed }: HomeState, now: Date): ListStatus {
  if (failed) return { kind: 'stale' }
  // After the event the place of the clock says so.
  if (!missions || !nextMoment(now)) return nothing
  const closed = closedUntil(now)
  if (!closed) return openStageStatus(missions, now)

  const { ended, opens } = closed
  const first = ended > 0 ? texts.over(ended) : texts.notYet
  const then = opens ? texts.opens(opens.number, shortDay(opens.firstDay)) : nextDrawText(now)
  return { kind: 'until-draw', text: `${first} ${then}`.trim() }
}

/** Undefined while a stage is open. */
export function foldText(count: number, now: Date): string | undefined {
  const closed = closedUntil(now)
  if (!closed) return undefined
  const { opens } = closed
  if (!opens) return texts.missed(count)
  return texts.opensLater(count, dayOf(opens.firstDay))
}
