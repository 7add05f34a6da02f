/** Calls being answered now, how long one more would wait, and whether new ones are still taken. */
export interface Traffic {
  readonly inFlight: number
  /** True once the server is stopping. */
  draining: boolean
  begin(): void
  end(): void
  /** Milliseconds that a call which arrives now would wait for its turn; 0 while the server is not busy. */
  expectedWait(): number
}

/** From so many calls on, answers are as frequent as the server can give them, and their rate says how long one takes. */
const BUSY_FROM = 100
/** Fewer answers say nothing yet. */
const ENOUGH_ANSWERS = 100
/** Half of what was counted is forgotten, so that the rate is that of the last seconds. */
const FORGET_AT = 4000

/** @param now clock in milliseconds */
export function countTraffic(now: () => number = () => performance.now()): Traffic {
  let inFlight = 0
  let busySince = 0
  let answers = 0
  return {
    get inFlight() {
      return inFlight
    },
    draining: false,
    begin() {
      if (++inFlight !== BUSY_FROM) return
      busySince = now()
      answers = 0
    },
    end() {
      inFlight--
      if (++answers < FORGET_AT) return
      answers /= 2
      busySince = (busySince + now()) / 2
    },
    // Counted since the server became busy, so that neither an idle time nor one blocked second passes for slowness.
    expectedWait: () =>
      inFlight < BUSY_FROM || answers < ENOUGH_ANSWERS ? 0 : (inFlight * (now() - busySince)) / answers,
  }
}
