/** Milliseconds without an answer after which the next attempt starts beside those that hang. */
const HEDGE_AFTER = 4_000
/** Milliseconds after which a request fails. */
export const DEADLINE = 10_000

interface Attempt<T> {
  run(signal: AbortSignal): Promise<T>
  /**
   * Called once for an attempt that failed or hangs: the next one starts beside it, or the deadline has passed.
   * @param duration milliseconds since it began
   * @param error undefined: it hangs
   */
  onFailure(duration: number, error?: unknown): void
}

export interface HedgedRequest<T> {
  readonly attempts: readonly Attempt<T>[]
  /** The times above count from when this resolves; until then only a failure starts the next attempt. */
  readonly clock: Promise<unknown>
  /** Called with the first answer that arrives after the deadline. */
  onLate(value: T): void
}

export interface Answer<T> {
  readonly value: T
  /** Milliseconds until the deadline. */
  readonly left: number
}

/**
 * A hedged request: runs attempts one after the other, the next early when one hangs, and resolves with the first
 * answer. The signal of the attempts aborts as soon as the outcome is known.
 * @throws the last error when all have failed, or an error at the deadline
 */
export function hedgedRequest<T>({ attempts, clock, onLate }: HedgedRequest<T>): Promise<Answer<T>> {
  return new Promise((resolve, reject) => {
    const outcome = new AbortController()
    /** Of each attempt under way, what reports its failure. */
    const running = new Set<(error?: unknown) => void>()
    let next = 0
    let timedOut = false
    let clockStart: number | undefined
    let hedgeTimer: ReturnType<typeof setTimeout> | undefined
    let deadlineTimer: ReturnType<typeof setTimeout> | undefined

    const settle = (how: () => void) => {
      clearTimeout(hedgeTimer)
      clearTimeout(deadlineTimer)
      how()
      outcome.abort()
    }
    const reportSlow = () => {
      for (const report of running) report()
    }
    const restartHedgeTimer = () => {
      clearTimeout(hedgeTimer)
      if (clockStart === undefined) return
      hedgeTimer = setTimeout(() => {
        reportSlow()
        begin()
      }, HEDGE_AFTER)
    }

    const begin = () => {
      const attempt = attempts[next]
      if (!attempt) return
      next += 1
      const began = Date.now()
      let reported = false
      const report = (error?: unknown) => {
        if (!reported) attempt.onFailure(Date.now() - began, error)
        reported = true
      }
      running.add(report)
      restartHedgeTimer()
      attempt.run(outcome.signal).then(
        (value) => {
          if (timedOut) onLate(value)
          timedOut = false
          if (outcome.signal.aborted) return
          const left = DEADLINE - (clockStart === undefined ? 0 : Date.now() - clockStart)
          settle(() => resolve({ value, left }))
        },
        (error: unknown) => {
          if (outcome.signal.aborted) return
          running.delete(report)
          report(error)
          if (next < attempts.length) begin()
          else if (running.size === 0) settle(() => reject(error))
        },
      )
    }
    begin()

    void clock.then(() => {
      if (outcome.signal.aborted) return
      clockStart = Date.now()
      restartHedgeTimer()
      deadlineTimer = setTimeout(() => {
        reportSlow()
        timedOut = true
        settle(() => reject(new Error(`no answer within ${DEADLINE} ms`)))
      }, DEADLINE)
    })
  })
}
