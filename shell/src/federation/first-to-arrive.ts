export interface RacingAttempt<T> {
  run(signal: AbortSignal): Promise<T>
  /** @param duration milliseconds since this attempt began */
  onFailed(duration: number, error: unknown): void
  /** It hangs: the next attempt starts beside it, or the deadline has passed. Told once, and instead of `onFailed`. */
  onSlow(duration: number): void
}

export interface Race<T> {
  readonly attempts: readonly RacingAttempt<T>[]
  /** Milliseconds after which the next attempt starts beside one that hangs. */
  readonly patience: number
  /** Milliseconds after which the race is lost. */
  readonly deadline: number
  /** Called when an attempt arrives after the deadline. */
  onLate(value: T): void
}

/**
 * Runs attempts one after the other, the next early when one hangs, and resolves with the first that arrives. What is
 * still running when the race is decided is told by its signal.
 * @throws the last error when all have failed, or an error at the deadline
 */
export function firstToArrive<T>({ attempts, patience, deadline, onLate }: Race<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const ending = new AbortController()
    /** Those that are running, and what to do when they turn out to be slow. */
    const running = new Map<RacingAttempt<T>, () => void>()
    let next = 0
    let lost = false
    let hurry: ReturnType<typeof setTimeout> | undefined

    const decide = (settle: () => void) => {
      clearTimeout(end)
      clearTimeout(hurry)
      next = attempts.length
      settle()
      ending.abort()
    }
    const end = setTimeout(() => {
      for (const slow of running.values()) slow()
      lost = true
      decide(() => reject(new Error(`no answer within ${deadline} ms`)))
    }, deadline)

    const begin = () => {
      const attempt = attempts[next]
      if (!attempt) return
      next += 1
      const began = Date.now()
      let told = false
      const slow = () => {
        if (!told) attempt.onSlow(Date.now() - began)
        told = true
      }
      running.set(attempt, slow)
      clearTimeout(hurry)
      hurry = setTimeout(() => {
        slow()
        begin()
      }, patience)
      attempt.run(ending.signal).then(
        (value) => {
          if (!ending.signal.aborted) return decide(() => resolve(value))
          if (lost) onLate(value)
          lost = false
        },
        (error: unknown) => {
          if (ending.signal.aborted) return
          running.delete(attempt)
          if (!told) attempt.onFailed(Date.now() - began, error)
          if (next < attempts.length) begin()
          else if (running.size === 0) decide(() => reject(error))
        },
      )
    }
    begin()
  })
}
