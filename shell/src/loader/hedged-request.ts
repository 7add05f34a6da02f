interface Attempt<T> {
  run(signal: AbortSignal): Promise<T>
  onFailed(error: unknown): void
  /**
   * It hangs: the next attempt starts beside it, or the deadline has passed. Called once, and instead of `onFailed`.
   * @param duration milliseconds since this attempt began
   */
  onSlow(duration: number): void
}

export interface HedgedRequest<T> {
  readonly attempts: readonly Attempt<T>[]
  /** The times below count from when this resolves; until then only a failure starts the next attempt. */
  readonly clock: Promise<unknown>
  /** Milliseconds without an answer after which the next attempt starts beside those that hang. */
  readonly hedgeAfter: number
  /** Milliseconds after which the request fails. */
  readonly deadline: number
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
export function hedgedRequest<T>(request: HedgedRequest<T>): Promise<Answer<T>> {
  const { attempts, clock, hedgeAfter, deadline, onLate } = request
  return new Promise((resolve, reject) => {
    const outcome = new AbortController()
    /** The attempts under way, with what reports each as slow. */
    const running = new Map<Attempt<T>, () => void>()
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
      for (const report of running.values()) report()
    }
    const restartHedgeTimer = () => {
      clearTimeout(hedgeTimer)
      if (clockStart === undefined) return
      hedgeTimer = setTimeout(() => {
        reportSlow()
        begin()
      }, hedgeAfter)
    }

    const begin = () => {
      const attempt = attempts[next]
      if (!attempt) return
      next += 1
      const began = Date.now()
      let reported = false
      running.set(attempt, () => {
        if (!reported) attempt.onSlow(Date.now() - began)
        reported = true
      })
      restartHedgeTimer()
      attempt.run(outcome.signal).then(
        (value) => {
          if (timedOut) onLate(value)
          timedOut = false
          if (outcome.signal.aborted) return
          const left = deadline - (clockStart === undefined ? 0 : Date.now() - clockStart)
          settle(() => resolve({ value, left }))
        },
        (error: unknown) => {
          if (outcome.signal.aborted) return
          running.delete(attempt)
          if (!reported) attempt.onFailed(error)
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
        settle(() => reject(new Error(`no answer within ${deadline} ms`)))
      }, deadline)
    })
  })
}
