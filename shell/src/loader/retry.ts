import type { ReportPhase } from '@anniversary/shared/contract/report'

/*
 * The one policy for a file that does not come, and all of its numbers (docs/decisions/0039): it is requested again when
 * it has failed or is late, then the previous release is loaded, then the page says so. In milliseconds.
 */

/** A request without an answer for so long is late: the next attempt starts beside it. */
const LATE = 4_000
/** A CDN is late sooner, since the page's own origin has the same file. */
export const CDN_LATE = 1_000
/** Loading and the first render take no longer. */
export const DEADLINE = 10_000
/** A page that loaded at the last moment still gets this long to render. */
export const MIN_RENDER_TIME = 500
/** A page whose HTML shows gets its card only after so long, and is loaded again until then. */
export const GAP = 4_000
export const GAP_WAIT = 1_000
/** Waits before the tries of a script of the host; after the third, always the last one. A returning network ends each. */
export const HOST_SCRIPT_WAITS = [0, 1_000, 3_000, 9_000] as const
/** A try of one ends after so long: the slowest line brings it within. */
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
  onFailure?(error: unknown): void
  /** Milliseconds after which it is late; default: `LATE`. */
  readonly late?: number
}

interface Retried<T> {
  readonly attempts: readonly Attempt<T>[]
  /** The times above count from when this resolves; until then only a failure starts the next attempt. */
  readonly clock?: Promise<unknown>
  onLateAnswer?(value: T): void
}

interface Answer<T> {
  readonly value: T
  readonly left: number
}

/**
 * Runs the attempts, each as soon as the one before has failed or is late, until the first answer.
 * @throws the last failure when all have failed; an error at the deadline
 */
export async function retry<T>(options: Retried<T>): Promise<Answer<T>> {
  const { attempts, onLateAnswer } = options
  const outcome = new AbortController()
  let started = performance.now()
  const clock = (options.clock ?? Promise.resolve()).then(() => {
    started = performance.now()
  })
  const passed = (ms: number) => clock.then(() => new Promise<void>((done) => setTimeout(done, ms)))
  const deadline = passed(DEADLINE)
  let answerWith: (value: T) => void = () => undefined
  const answer = new Promise<T>((resolve) => {
    answerWith = resolve
  })
  const ends: Promise<{ readonly error: unknown } | undefined>[] = []

  for (const { run, onFailure, late: wait = LATE } of attempts) {
    const began = Date.now()
    const end = run(outcome.signal).then(
      (value) => {
        answerWith(value)
        return undefined
      },
      (error: unknown) => ({ error }),
    )
    ends.push(end)
    const late = Promise.race([passed(wait), deadline]).then(() => ({
      error: noAnswer(Date.now() - began),
    }))
    const failure = await Promise.race([answer.then(() => undefined), end, late])
    if (!failure) break
    onFailure?.(failure.error)
  }

  try {
    return await Promise.race([
      answer.then((value) => ({ value, left: DEADLINE - (performance.now() - started) })),
      Promise.all(ends).then((all) => Promise.reject(all.at(-1)?.error)),
      deadline.then(() => Promise.reject(noAnswer(DEADLINE))),
    ])
  } catch (error) {
    if (onLateAnswer) void answer.then(onLateAnswer)
    throw error
  } finally {
    outcome.abort()
  }
}

const noAnswer = (ms: number) => new RemoteLoadError('deadline', `no answer within ${ms} ms`)
