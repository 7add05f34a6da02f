import type { Visit } from '@anniversary/shared/contract/report'
import type { CodeFailure } from '../loader/code-failures.ts'
import type { Loader } from '../loader/loader.ts'
import { FROM_ANYWHERE, reportCodeErrors } from './code-errors.ts'
import { collectViews, ENTRY_TYPES } from './views.ts'

/**
 * Reports errors of the page's code and, if the page load is sampled, its
 * views, including earlier ones.
 */
export function startTelemetry(loader: Loader, isSampled: boolean) {
  const { config, pages, composition, reports } = loader
  const { reportUrl } = config
  // Set for prerendered pages; not in TypeScript's DOM library. jsdom has no
  // navigation.
  const [navigation = {}] = performance.getEntriesByType?.('navigation') ?? []
  const { activationStart: begun = 0 } = navigation as { activationStart?: number }
  const views = collectViews(loader, begun)
  const report = reportCodeErrors(composition, reports.send, views)

  const observer = new PerformanceObserver((list) => views.observe(list.getEntries()))
  function sendViews(url: string): void {
    views.observe(observer.takeRecords())
    views.check()
    const some = views.take()
    if (some.length === 0) return
    const visit: Visit = {
      'event.name': 'page.visit',
      'composition.number': composition.number,
      views: some,
    }
    navigator.sendBeacon(url, JSON.stringify(visit))
  }
  if (reportUrl && isSampled) {
    for (const type of ENTRY_TYPES)
      if (PerformanceObserver.supportedEntryTypes.includes(type))
        observer.observe({ type, buffered: true })
    pages.subscribe(views.check)
    const onHidden = () => {
      if (document.visibilityState === 'hidden') sendViews(reportUrl)
    }
    addEventListener('visibilitychange', onHidden)
    addEventListener('pagehide', onHidden)
  }

  return (failure: CodeFailure): void => {
    // Observers run in a later task, so an error could count for an earlier
    // view.
    views.observe(observer.takeRecords())
    if (reportUrl || !FROM_ANYWHERE.has(failure.phase)) report(failure)
  }
}
