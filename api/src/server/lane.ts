export const LIMITS = {
  /** At 25 kB each while its call waits; Node closes what comes beyond. */
  connections: 20_000,
  /** A connection with more is closed. */
  unanswered: 8,
  /** They fill the database's connections; more would only wait there. */
  running: 256,
  /** Half of the connections, so that the others can be answered. */
  waiting: 10_000,
  /** Little's law turns them into a number of calls. */
  waitSeconds: 3,
  /** A call that still waits is refused: the server became slower. */
  longestWaitSeconds: 5,
  deadlineSeconds: 10,
  /** How many calls a sample refuses that came before their turn. */
  earlyRefusals: 200,
  /** How long, on average, an answer of status 4xx is held. */
  holdSeconds: 1,
  /** Until a lane has been full once. */
  firstRate: 3000,
  /** Seconds of `retry-after`. */
  soonest: 2,
  latest: 900,
}
export type Limits = Readonly<typeof LIMITS>

/**
 * Pages come back after one to two times `retry-after`
 * (shared/src/contract/put-off.ts). Random waits thin arrivals by ln 2, so 1/ln
 * 2 turns fit a call.
 */
const TURNS_A_CALL = 1 / Math.LN2

/**
 * Admits the calls that can be started within `waitSeconds` at the measured
 * rate, the oldest first. Times are seconds that the caller passes in.
 */
export class Lane<Call> {
  readonly #start: (call: Call) => boolean
  readonly #limits: Limits
  #waiting: { readonly call: Call; readonly since: number }[] = []
  #first = 0
  #running = 0
  #answered = 0
  #wasFull = false
  #rate: number
  /** While many are refused, fewer are answered than could be. */
  #best: number
  #sampledAt: number | undefined
  /** Until when turns have been given to callers that were refused. */
  #promised = 0

  /** @param start begins a call; false: its caller has hung up */
  constructor(start: (call: Call) => boolean, limits: Limits = LIMITS) {
    this.#start = start
    this.#limits = limits
    this.#rate = limits.firstRate
    this.#best = limits.firstRate
  }

  get running(): number {
    return this.#running
  }
  get waiting(): number {
    return this.#waiting.length - this.#first
  }

  /** @returns false when the call has to be refused */
  enter(call: Call, now: number): boolean {
    if (this.#running < this.#limits.running && this.waiting === 0) {
      if (this.#start(call)) this.#running++
      return true
    }
    const { waiting, waitSeconds } = this.#limits
    if (this.waiting >= Math.min(waiting, this.#rate * waitSeconds)) return false
    this.#waiting.push({ call, since: now })
    return true
  }

  leave(answered: boolean): void {
    this.#running--
    if (answered) this.#answered++
    while (this.#running < this.#limits.running && this.waiting > 0) {
      const next = this.#take()
      if (next !== undefined && this.#start(next)) this.#running++
    }
  }

  /**
   * Returns calls that have waited for too long. Call it some times a second.
   */
  sample(now: number): Call[] {
    const rate = this.#answered / (now - (this.#sampledAt ?? now))
    // A lane with free places shows how much was asked of it, not how much it
    // could do.
    const isFull = this.#wasFull && this.waiting > 0
    const isMeasured = this.#answered > 0 && Number.isFinite(rate)
    if (isMeasured && (isFull || rate > this.#rate)) this.#rate += (rate - this.#rate) / 4
    this.#best = Math.max(this.#rate, this.#best * 0.995)
    this.#sampledAt = now
    this.#answered = 0
    this.#wasFull = this.waiting > 0
    const late: Call[] = []
    for (;;) {
      const oldest = this.#waiting[this.#first]
      if (!oldest || now - oldest.since < this.#limits.longestWaitSeconds) return late
      late.push(oldest.call)
      this.#take()
    }
  }

  /** @returns the seconds after which to come back */
  turn(now: number): number {
    const { soonest, latest } = this.#limits
    const from = Math.max(this.#promised, now + soonest)
    this.#promised = Math.min(from + 1 / (this.#best * TURNS_A_CALL), now + latest)
    return Math.round(this.#promised - now)
  }

  #take(): Call | undefined {
    const next = this.#waiting[this.#first++]
    // Removing each from the front would move all that follow.
    if (this.#first * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#first)
      this.#first = 0
    }
    return next?.call
  }
}
