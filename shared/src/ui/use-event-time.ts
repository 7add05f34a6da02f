import { useEffect, useEffectEvent, useReducer } from 'react'
import { nextMoment } from '../contract/event-timeline.ts'
import type { Host } from '../contract/host.ts'

const SECOND = 1000
/** Time over which members' pages spread when they ask the API again: the moment is the same for all. */
const SPREAD_MS = 20_000

type Clock = Host['clock']

/** The event's time; renders again at each full second of it. */
export function useEventTime(clock: Clock): Date {
  const [, render] = useReducer((ticks: number) => ticks + 1, 0)
  // After each render, for the clock's next full second, so that a late timer does not drift.
  useEffect(() => {
    const timer = setTimeout(render, SECOND - (clock.now().getTime() % SECOND))
    return () => clearTimeout(timer)
  })
  return clock.now()
}

/**
 * Calls `onMoment` after a stage or draw has begun or ended, at a random time within `SPREAD_MS`.
 * @param known false until the server has answered: the host's clock may be the browser's, which may be wrong
 */
export function useMoments(clock: Clock, known: boolean, onMoment: () => void): void {
  const tell = useEffectEvent(onMoment)
  useEffect(() => {
    if (!known) return
    const next = () => nextMoment(clock.now())?.target.getTime()
    let awaited = next()
    let telling: ReturnType<typeof setTimeout> | undefined
    const watching = setInterval(() => {
      if (next() === awaited) return
      awaited = next()
      clearTimeout(telling)
      telling = setTimeout(() => tell(), Math.random() * SPREAD_MS)
    }, SECOND)
    return () => {
      clearInterval(watching)
      clearTimeout(telling)
    }
  }, [clock, known])
}
