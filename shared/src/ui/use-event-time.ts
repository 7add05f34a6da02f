import { useEffect, useEffectEvent, useReducer } from 'react'
import { type Moment, SPREAD_MS } from '../contract/event-timeline.ts'
import type { Host } from '../contract/host.ts'
import { momentCalls } from '../contract/moment-calls.ts'

const SECOND = 1000

type Clock = Host['clock']

/** The event's time; renders again at each full second of it. */
export function useEventTime(clock: Clock): Date {
  const [, render] = useReducer((ticks: number) => ticks + 1, 0)
  // After each render, for the clock's next full second, so that a late timer
  // does not drift.
  useEffect(() => {
    const timer = setTimeout(render, SECOND - (clock.now().getTime() % SECOND))
    return () => clearTimeout(timer)
  })
  return clock.now()
}

/**
 * Calls `onMoments` after each boundary of a stage or draw, delayed by a random
 * part of the spread; a page that has slept hears of all that it missed. Given
 * the `next` list, it also calls `onTurn` at the boundary; a page without that
 * list asks ahead.
 * @param known false until the server has answered: the host's clock may be the
 * browser's, which may be wrong
 */
export function useEventMoments(
  clock: Clock,
  known: boolean,
  onMoments: (moments: readonly Moment[]) => void,
  list?: { readonly next: Date | undefined; onTurn(): void },
): void {
  const tell = useEffectEvent(onMoments)
  const turn = useEffectEvent(() => list?.onTurn())
  const nextList = useEffectEvent(() => (list ? list.next : null))
  useEffect(() => {
    if (!known) return
    const step = momentCalls(clock.now())
    let telling: ReturnType<typeof setTimeout> | undefined
    let watching: ReturnType<typeof setTimeout>
    const watch = () => {
      // At the clock's full seconds, since moments are at such.
      watching = setTimeout(watch, SECOND - (clock.now().getTime() % SECOND))
      const { passed, call } = step(clock.now(), clock.spread?.() ?? SPREAD_MS, nextList())
      if (passed.length > 0) turn()
      if (!call) return
      clearTimeout(telling)
      telling = setTimeout(() => tell(call.moments), call.inMs)
    }
    watch()
    return () => {
      clearTimeout(watching)
      clearTimeout(telling)
    }
  }, [clock, known])
}
