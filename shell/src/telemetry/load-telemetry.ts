import type { Core } from '../loader/handover.ts'

/** Milliseconds after the page has loaded: what it does then, its calls and its typeface, goes first. */
const LATER = 1000

/**
 * Loads the telemetry when the page has nothing else to do, or with the first failure of its code.
 * @param firstPage resolves when the first page is there
 */
export function loadTelemetry(core: Core, firstPage: Promise<unknown>): void {
  let loading: Promise<ReturnType<typeof import('./start-telemetry.ts')['startTelemetry']>> | undefined
  const load = () => {
    loading ??= import(/* webpackChunkName: "telemetry" */ './start-telemetry.ts').then(
      ({ startTelemetry }) => startTelemetry(core),
    )
    return loading
  }
  // Where its own chunk does not arrive there is nobody to tell.
  core.loader.failures.listen(
    (failure) =>
      void load().then(
        (report) => report(failure),
        () => undefined,
      ),
  )
  if (!core.config.reportUrl) return
  const whenIdle = () => {
    const idle = () => void load().catch(() => undefined)
    if ('requestIdleCallback' in globalThis) requestIdleCallback(idle)
    else idle()
  }
  void firstPage.then(() => {
    if (document.readyState === 'complete') setTimeout(whenIdle, LATER)
    else addEventListener('load', () => setTimeout(whenIdle, LATER))
  })
}
