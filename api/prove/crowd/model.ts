import {
  NEXT_LIST_MS,
  nextListChange,
  nextMoment,
  SPREAD_MS,
} from '@anniversary/shared/contract/event-timeline'
import { momentCalls } from '@anniversary/shared/contract/moment-calls'
import { LONGEST_PUT_OFF_MS, putOffMs } from '@anniversary/shared/contract/put-off'
import { randomFrom } from '@anniversary/shared/testing/random'
import { Lane, LIMITS } from '../../src/server/lane.ts'
import { spreadSeconds } from '../../src/server/spread.ts'

/** Seconds of one processor. */
export interface Costs {
  readonly answer: number
  readonly refusal: number
}

export interface Plan {
  /**
   * `rush`: all pages are opened within 20 s. `away`: the database is, for 20
   * s; `restart`: the API is, for 3 s.
   */
  readonly crowd: 'stage' | 'draw' | 'restart' | 'away' | 'rush'
  readonly pages: number
  readonly seed: number
  readonly costs: Costs
}

export interface Outcome {
  readonly callsAPage: number
  /** In the first second after the moment. */
  readonly callsAtOnce: number
  readonly secondsUntilLast: number
  readonly lost: number
}

const TICK = 0.01
/** Of nginx, while no API answers (deploy/src/serve). */
const NGINX_RETRY_AFTER = 5

/** Milliseconds after the start of the minutes before a moment. */
function firstCalls({ crowd, pages }: Plan, random: () => number): (page: number) => number {
  const from = crowd === 'draw' ? '2025-09-09T19:50:00+07:00' : '2025-09-09T23:50:00+07:00'
  const start = new Date(from)
  const at = nextMoment(start)?.target ?? start
  if (crowd === 'rush') return () => NEXT_LIST_MS + random() * SPREAD_MS
  const spread = spreadSeconds(pages) * 1000
  const list = nextListChange(start) ? undefined : null
  return (page) => {
    const step = momentCalls(start, random)
    // Half of the pages are opened now, and have the next list.
    const ahead = page % 2 === 0 ? step(start, spread, list).call : undefined
    return ahead ? ahead.inMs : NEXT_LIST_MS + (step(at, spread, at).call?.inMs ?? Number.NaN)
  }
}

/**
 * Pages make the client's real decisions, and the server has its real lane, in
 * virtual time.
 */
export function meet(plan: Plan): Outcome {
  const { crowd, pages, costs } = plan
  const random = randomFrom(plan.seed)
  const moment = NEXT_LIST_MS / 1000
  const troubles = { restart: [10, 13], away: [5, 25] } as Record<string, readonly [number, number]>
  const [goneFrom, goneUntil] = (troubles[crowd] ?? [0, 0]).map((seconds) => moment + seconds) as [
    number,
    number,
  ]
  const firstAt = new Float64Array(pages).fill(-1)
  const due: number[][] = []
  const call = (page: number, at: number) => {
    const tick = Math.ceil(at / TICK)
    due[tick] ??= []
    due[tick].push(page)
  }
  const first = firstCalls(plan, random)
  for (let page = 0; page < pages; page++) call(page, first(page) / 1000)

  const outcome = { calls: 0, callsAtOnce: 0, last: 0, lost: 0 }
  let now = 0
  const working: number[] = []
  let begun = 0
  const newLane = () => new Lane<number>((page) => working.push(page) > 0)
  let lane = newLane()
  /** Seconds of processor; refusals are paid first, and may be owed. */
  let left = 0
  const putOff = (page: number, retryAfter: number) => {
    const wait = putOffMs(503, retryAfter, random) ?? 0
    const waited = (now - (firstAt[page] ?? 0)) * 1000 + wait
    if (waited > LONGEST_PUT_OFF_MS) outcome.lost++
    else call(page, now + wait / 1000)
  }
  let open = pages
  for (let tick = 0; open - outcome.lost > 0; tick++) {
    now = tick * TICK
    const isGone = now >= goneFrom && now < goneUntil
    if (isGone && crowd === 'restart' && lane.running > 0) {
      // The calls in flight fail with the process; nginx puts them off.
      for (const page of [
        ...working.splice(begun),
        ...lane.sample(now + LIMITS.longestWaitSeconds),
      ])
        putOff(page, NGINX_RETRY_AFTER)
      begun = 0
      working.length = 0
      lane = newLane()
    }
    left = Math.min(left, 0) + TICK
    const refuse = (page: number) => {
      left -= costs.refusal
      putOff(page, lane.turn(now))
    }
    for (const page of due[tick] ?? []) {
      outcome.calls++
      if (now >= moment && now < moment + 1) outcome.callsAtOnce++
      if (firstAt[page] === -1) firstAt[page] = now
      if (isGone && crowd === 'restart') putOff(page, NGINX_RETRY_AFTER)
      else if (!lane.enter(page, now)) refuse(page)
    }
    delete due[tick]
    if (tick % 25 === 0) for (const page of lane.sample(now)) refuse(page)
    for (; left >= costs.answer && begun < working.length; left -= costs.answer) {
      const page = working[begun++] ?? 0
      const isAnswered = !(isGone && crowd === 'away')
      if (isAnswered) {
        open--
        outcome.last = now
      } else putOff(page, lane.turn(now))
      lane.leave(isAnswered)
    }
    if (begun > 10_000) begun -= working.splice(0, begun).length
  }
  return {
    callsAPage: Math.round((outcome.calls / pages) * 1000) / 1000,
    callsAtOnce: outcome.callsAtOnce,
    secondsUntilLast: Math.round(outcome.last - moment),
    lost: outcome.lost,
  }
}
