import type { ReportPhase } from '@anniversary/shared/contract/report'
import { asksCdn, giveUpCdn } from './cdn.ts'

/*
 * The one policy for a file that does not come, and all of its numbers (docs/decisions/0039): it is requested again when
 * it has failed or is late, then the previous release is loaded, then the page says so. In milliseconds.
 */

/** A request without an answer for so long is late: the next attempt starts beside it. */
const LATE = 4_000
/** A CDN is late sooner, since the page's own origin has the same file. */
const CDN_LATE = 1_000
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
  /** Its file, which a CDN may have: then it is late sooner, and the CDN is given up where it does not come. */
  readonly url?: string | undefined
}

interface Retried<T> {
  readonly attempts: readonly Attempt<T>[]
  /** The times above count from when this resolves; until then only a failure starts the next attempt. */
  readonly clock?: Promise<unknown> | undefined
  onLateAnswer?(value: T): void
}

/**
 * Runs the attempts, each as soon as the one before has failed or is late, until the first answer.
 * @returns it, with the milliseconds that are left of the deadline
 * @throws the last failure when all have failed; an error at the deadline
 */
export async function retry<T>({ attempts, clock = Promise.resolve(), onLateAnswer }: Retried<T>) {
  const outcome = new AbortController()
  let started = performance.now()
  const start = clock.then(() => {
    started = performance.now()
  })
  const passed = (ms: number) => start.then(() => new Promise<void>((done) => setTimeout(done, ms)))
  const deadline = passed(DEADLINE)
  const answers: Promise<T>[] = []

  for (const { url = '', run, onFailure } of attempts) {
    const isOfCdn = asksCdn(url)
    const began = Date.now()
    const answer = run(outcome.signal)
    answers.push(answer)
    const late = Promise.race([passed(isOfCdn ? CDN_LATE : LATE), deadline])
    try {
      await Promise.race([
        Promise.any(answers),
        answer,
        late.then(() => Promise.reject(noAnswer(Date.now() - began))),
      ])
      break
    } catch (error) {
      if (isOfCdn && isOfFile(error)) giveUpCdn()
      onFailure?.(error)
    }
  }

  const first = Promise.any(answers)
  try {
    return await Promise.race([
      first.then((value) => ({ value, left: DEADLINE - (performance.now() - started) })),
      deadline.then(() => Promise.reject(noAnswer(DEADLINE))),
    ])
  } catch (error) {
    if (onLateAnswer) first.then(onLateAnswer, () => undefined)
    throw error instanceof AggregateError ? error.errors.at(-1) : error
  } finally {
    outcome.abort()
  }
}

const noAnswer = (ms: number) => new RemoteLoadError('deadline', `no answer within ${ms} ms`)

/** Whether the file has not come; otherwise what it holds fails. */
const isOfFile = (error: unknown) =>
  error instanceof RemoteLoadError
    ? error.phase !== 'expose' && error.phase !== 'contract'
    : error instanceof Event
