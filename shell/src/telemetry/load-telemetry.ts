import type { CodeFailure } from '../loader/code-failures.ts'
import type { Loader } from '../loader/loader.ts'
import { whenIdle } from '../when-idle.ts'

/** Milliseconds after the first page is there: its own calls and its typeface go first. */
const LATER = 1000

/** Loads the telemetry when the page is idle, if this load is in the sample, or with the first failure of its code. */
export function loadTelemetry(loader: Loader, firstPage: Promise<unknown>): void {
  const { reportUrl, reportSample = '1' } = loader.config
  // A page that loads in the background or is prerendered paints when the member looks at it.
  const isSeen = document.visibilityState !== 'hidden'
  const isSampled = reportUrl !== undefined && isSeen && Math.random() < Number(reportSample)
  let loading: Promise<(failure: CodeFailure) => void> | undefined
  const tell = async (failure?: CodeFailure) => {
    loading ??= import(/* webpackChunkName: "telemetry" */ './start-telemetry.ts').then(
      ({ startTelemetry }) => startTelemetry(loader, isSampled),
    )
    try {
      const report = await loading
      if (failure) report(failure)
    } catch {}
  }
  loader.failures.listen(tell)
  if (!isSampled) return
  void firstPage.then(() => setTimeout(() => whenIdle(() => tell()), LATER))
}
