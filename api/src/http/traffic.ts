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

/** With so many calls in flight the server answers as fast as it can, so the rate of answers is its capacity. */
const BUSY_FROM = 100
/** Fewer answers are no measure yet. */
const ENOUGH_ANSWERS = 100
/** Then half of the count is dropped, so that recent answers weigh more. */
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
    // Counted since the server became busy: neither idle time nor one blocked second looks like a slow server.
    expectedWait: () =>
      inFlight < BUSY_FROM || answers < ENOUGH_ANSWERS ? 0 : (inFlight * (now() - busySince)) / answers,
  }
}
