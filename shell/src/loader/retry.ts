import type { ReportPhase } from '@anniversary/shared/contract/report'

/*
 * The one retry policy and all of its times in milliseconds
 * (docs/decisions/0002): a file that failed or is late is requested again, then
 * the previous release is loaded, then a card says so.
 *
 * States of a load:
 * - running: an attempt that fails or is late starts the next one. A late one
 *   goes on beside it.
 * - answered: the first answer has come. All requests are aborted.
 * - over: the deadline has passed. No attempt starts, and the first answer goes
 *   to `onLateAnswer`. After `REQUEST_LIMIT` all requests are aborted.
 */

/**
 * A request without an answer for this long is late: the next attempt starts
 * beside it.
 */
export const LATE = 4_000
/** Loading and the first render take no longer. */
export const DEADLINE = 10_000
/** A page that loaded at the last moment still gets this long to render. */
export const MIN_RENDER_TIME = 500
/**
 * A page whose HTML shows is loaded again for this long before a card replaces
 * it.
 */
export const GAP = 4_000
export const GAP_WAIT = 1_000
/**
 * Waits before each retry of a host script; the last one repeats. A returning
 * network ends a wait.
 */
export const HOST_SCRIPT_WAITS = [0, 1_000, 3_000, 9_000] as const
/**
 * Enough for the slowest network. Then a retry of a host script is aborted, and
 * the requests of a load, counted from its deadline.
 */
export const REQUEST_LIMIT = 30_000

/**
 * Why a page could not be loaded. What each phase means:
 * shared/contract/report.
 */
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
  /**
   * Called once, when the attempt has failed or is late, before the next one
   * starts.
   */
  onFailure?(error: unknown): void
}

interface Retried<T> {
  readonly attempts: readonly Attempt<T>[]
  /**
   * The times above count from when this resolves; until then only a failure
   * starts the next attempt.
   */
  readonly clock?: Promise<unknown> | undefined
  /** Takes the first answer that comes after the deadline. */
  onLateAnswer?(value: T): void
}

/**
 * Runs the attempts in order until the first answer.
 * @throws the last attempt's failure when every attempt has failed; an error at
 * the deadline
 */
export async function runAttempts<T>({
  attempts,
  clock = Promise.resolve(),
  onLateAnswer,
}: Retried<T>) {
  const outcome = new AbortController()
  let clockStarted = Number.POSITIVE_INFINITY
  const started = clock.then(() => {
    clockStarted = performance.now()
  })

  /** Rejects `ms` after the clock, or after this call if that is later. */
  const limit = async (ms: number, since: number) => {
    await started
    return new Promise<never>((_, reject) => {
      if (outcome.signal.aborted) return
      const timer = setTimeout(() => reject(noAnswerSince(since)), ms)
      outcome.signal.addEventListener('abort', () => clearTimeout(timer))
    })
  }
  let isOver = false
  const deadline = started.then(() => limit(DEADLINE, performance.now()))
  deadline.catch(() => {
    isOver = true
  })

  let found: (value: T) => void = () => undefined
  const first = new Promise<T>((resolve) => {
    found = resolve
  })
  const stop = () => outcome.abort()
  void first.then(stop)
  const running: Promise<void>[] = []
  let lastFailure: unknown

  try {
    for (const { run, onFailure } of attempts) {
      const since = performance.now()
      const answer = run(outcome.signal)
      running.push(answer.then(found, () => undefined))
      try {
        await Promise.race([first, answer, limit(LATE, since), deadline])
        break
      } catch (error) {
        lastFailure = isOver ? noAnswerSince(since) : error
        onFailure?.(lastFailure)
        if (isOver) break
      }
    }
    const failed = Promise.all(running).then(() => Promise.reject(lastFailure))
    const value = await Promise.race([first, failed, deadline])
    const elapsed = Math.max(0, performance.now() - clockStarted)
    return { value, left: DEADLINE - elapsed }
  } catch (error) {
    if (onLateAnswer) void first.then(onLateAnswer)
    setTimeout(stop, REQUEST_LIMIT)
    throw error
  }
}

const noAnswerSince = (since: number) =>
  new RemoteLoadError('deadline', `no answer within ${Math.round(performance.now() - since)} ms`)
