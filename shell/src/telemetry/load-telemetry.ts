import type { CodeFailure } from '../loader/code-failures.ts'
import type { Loader } from '../loader/loader.ts'
import { whenIdle } from '../when-idle.ts'

/** Milliseconds after the first page, whose calls and typeface go first. */
const LATER = 1000

/**
 * Loads the telemetry when the page is idle, if this load is in the sample, or
 * with the first failure of its code.
 */
export function loadTelemetry(loader: Loader, firstPage: Promise<unknown>): void {
  const { reportUrl, reportSample = '1' } = loader.config
  // A background or prerendered page paints when it becomes visible.
  const isSeen = document.visibilityState !== 'hidden'
  const isSampled = reportUrl !== undefined && isSeen && Math.random() < Number(reportSample)
  let loading: Promise<(failure: CodeFailure) => void> | undefined
  const report = async (failure?: CodeFailure) => {
    loading ??= import(/* webpackChunkName: "telemetry" */ './start-telemetry.ts').then(
      ({ startTelemetry }) => startTelemetry(loader, isSampled),
    )
    try {
      const send = await loading
      if (failure) send(failure)
    } catch {
      // The next failure requests it again.
      loading = undefined
    }
  }
  loader.reports.listen(report)
  if (!isSampled) return
  void firstPage.then(() => setTimeout(() => whenIdle(() => report()), LATER))
}
