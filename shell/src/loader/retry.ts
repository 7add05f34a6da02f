import type { ReportPhase } from '@anniversary/shared/contract/report'

/*
 * The one retry policy and all of its times in milliseconds (docs/decisions/0002): a file that failed or is late is requested
 * again, then the previous release is loaded, then a card says so.
 */

/** A request without an answer for this long is late: the next attempt starts beside it. */
export const LATE = 4_000
/** Loading and the first render take no longer. */
export const DEADLINE = 10_000
/** A page that loaded at the last moment still gets this long to render. */
export const MIN_RENDER_TIME = 500
/** A page whose HTML shows is loaded again for this long before a card replaces it. */
export const GAP = 4_000
export const GAP_WAIT = 1_000
/** Waits before each retry of a host script; the last one repeats. A returning network ends a wait. */
export const HOST_SCRIPT_WAITS = [0, 1_000, 3_000, 9_000] as const
/** A retry of a host script is aborted after this long, enough for the slowest network. */
export const HOST_SCRIPT_LIMIT = 30_000

/** Why a page could not be loaded. What each phase means: shared/contract/report. */
export class RemoteLoadError extends Error {
  override readonly name = 'RemoteLoadError'
  readonly phase: ReportPhase

  constructor(phase: ReportPhase, message: string, options?: ErrorOptions) {
    super(message, options)
    this.phase = phase
  }
}

interface Attempt<T> {
  run(signal: AbortSignal): Promise<T>
  /** Called once, when the attempt has failed or is late, before the next one starts. */
  onFailure?(error: unknown): void
}

interface Retried<T> {
  readonly attempts: readonly Attempt<T>[]
  /** The times above count from when this resolves; until then only a failure starts the next attempt. */
  readonly clock?: Promise<unknown> | undefined
  /** Takes the first answer that comes after the deadline. */
  onLateAnswer?(value: T): void
}

/** @param left milliseconds that are left of the deadline */
interface Answer<T> {
  readonly value: T
  readonly left: number
}

/**
 * Runs the attempts in order, each as soon as the one before has failed or is late, until the first answer. All that can
 * happen is one of five events: the clock starts, an answer, a failure, the newest attempt is late, the deadline.
 * @throws the last failure when every attempt has failed; an error at the deadline
 */
export function retry<T>({ attempts, clock = Promise.resolve(), onLateAnswer }: Retried<T>) {
  return new Promise<Answer<T>>((resolve, reject) => {
    const outcome = new AbortController()
    let state: 'open' | 'answered' | 'failed' = 'open'
    /** The attempt that has neither failed nor is late; undefined: all have been tried. */
    let newest: Attempt<T> | undefined
    let newestBegan = 0
    let tried = 0
    let pending = 0
    let clockStarted: number | undefined
    let lateTimer: ReturnType<typeof setTimeout> | undefined
    let deadlineTimer: ReturnType<typeof setTimeout> | undefined

    const close = (to: 'answered' | 'failed', settle: () => void) => {
      state = to
      clearTimeout(lateTimer)
      clearTimeout(deadlineTimer)
      settle()
      outcome.abort()
    }
    const noAnswer = (since: number) =>
      new RemoteLoadError('deadline', `no answer within ${Math.round(performance.now() - since)} ms`)
    const watchNewest = () => {
      clearTimeout(lateTimer)
      if (newest && clockStarted !== undefined)
        lateTimer = setTimeout(() => replaceNewest(noAnswer(newestBegan)), LATE)
    }

    const startNext = (lastError?: unknown) => {
      newest = attempts[tried]
      watchNewest()
      if (!newest) {
        if (pending === 0) close('failed', () => reject(lastError))
        return
      }
      const attempt = newest
      tried += 1
      pending += 1
      newestBegan = performance.now()
      attempt.run(outcome.signal).then(onAnswer, (error) => onFailure(attempt, error))
    }
    const replaceNewest = (error: unknown) => {
      newest?.onFailure?.(error)
      startNext(error)
    }

    const onClock = () => {
      if (state !== 'open') return
      clockStarted = performance.now()
      watchNewest()
      deadlineTimer = setTimeout(onDeadline, DEADLINE)
    }
    const onAnswer = (value: T) => {
      pending -= 1
      const used = clockStarted === undefined ? 0 : performance.now() - clockStarted
      if (state === 'open') close('answered', () => resolve({ value, left: DEADLINE - used }))
      else if (state === 'failed') {
        state = 'answered'
        onLateAnswer?.(value)
      }
    }
    const onFailure = (attempt: Attempt<T>, error: unknown) => {
      pending -= 1
      if (state !== 'open') return
      if (attempt === newest) replaceNewest(error)
      else if (!newest && pending === 0) close('failed', () => reject(error))
    }
    const onDeadline = () => {
      newest?.onFailure?.(noAnswer(newestBegan))
      close('failed', () => reject(noAnswer(clockStarted ?? 0)))
    }

    startNext()
    void clock.then(onClock)
  })
}
