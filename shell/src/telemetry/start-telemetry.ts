import type { Visit } from '@anniversary/shared/contract/report'
import type { CodeFailure } from '../loader/code-failures.ts'
import type { Loader } from '../loader/loader.ts'
import { reportCodeErrors } from './code-errors.ts'
import { collectViews, ENTRY_TYPES } from './views.ts'

/** Reports errors of the page's code and, if the load is in the sample, views, also those from before. */
export function startTelemetry(loader: Loader, isSampled: boolean) {
  const { reportUrl } = loader.config
  // Of pages that Chromium rendered before; not in TypeScript's DOM library. jsdom has no navigation.
  const [navigation = {}] = performance.getEntriesByType?.('navigation') ?? []
  const { activationStart: begun = 0 } = navigation as { activationStart?: number }
  const views = collectViews(loader, begun)
  const report = reportCodeErrors(loader, views)

  const observer = new PerformanceObserver((list) => views.observe(list.getEntries()))
  function sendViews(url: string): void {
    views.observe(observer.takeRecords())
    views.check()
    const some = views.take()
    if (some.length === 0) return
    const visit: Visit = {
      'event.name': 'page.visit',
      'composition.number': loader.composition.number,
      views: some,
    }
    navigator.sendBeacon(url, JSON.stringify(visit))
  }
  if (reportUrl && isSampled) {
    for (const type of ENTRY_TYPES)
      if (PerformanceObserver.supportedEntryTypes.includes(type)) observer.observe({ type, buffered: true })
    loader.subscribe(views.check)
    const onHidden = () => document.visibilityState === 'hidden' && sendViews(reportUrl)
    addEventListener('visibilitychange', onHidden)
    addEventListener('pagehide', onHidden)
  }

  return (failure: CodeFailure): void => {
    // An observer is called in a later task: without its view, an error would count for the view before it, or for none.
    views.observe(observer.takeRecords())
    // Without a place to report to, the browser's own log of these is enough.
    if (reportUrl || (failure.phase !== 'error' && failure.phase !== 'rejection')) report(failure)
  }
}
