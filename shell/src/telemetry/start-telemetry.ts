import type { Visit } from '@anniversary/shared/contract/report'
import { routePath } from '../loader/base-path.ts'
import type { CodeFailure } from '../loader/code-failures.ts'
import type { Core } from '../loader/handover.ts'
import type { Owner } from '../loader/published-files.ts'
import { sessionStore } from '../session/session-store.ts'
import { reportCodeErrors } from './code-errors.ts'
import { collectViews } from './views.ts'
import { watchEntries } from './watch-entries.ts'

/**
 * Reports errors of the page's code, and views with their vitals, also those from before it loads: the browser and the
 * core script keep them.
 * @param measures whether this page load is one of those that report views
 * @returns reports a failure
 */
export function startTelemetry({ loader, config, composition }: Core, measures: boolean) {
  const { release, progress } = loader
  const shellVersion = composition.shell.version
  const routeAt = (path: string) => loader.routes.now()[path]
  const views = collectViews({ shellVersion, routeAt, release, progress, arrivedAt })

  function shown(): Owner {
    const { name = 'shell', expose = '' } = routeAt(routePath())?.remote ?? {}
    const state = progress(name, expose)?.state
    const shown = state?.status === 'ready' ? state.release : release(name)
    return { name, version: name === 'shell' ? shellVersion : (shown?.version ?? '') }
  }
  const report = reportCodeErrors({
    ownerOf: loader.ownerOf,
    shown,
    secrets: () => Object.values(sessionStore.getState().session ?? {}),
    send: loader.send,
    onFailure: views.threw,
  })

  let takeEntries: () => void = () => undefined
  const { reportUrl } = config
  if (reportUrl && measures) {
    takeEntries = watchEntries(views)
    loader.subscribe(views.check)

    const send = () => {
      if (document.visibilityState !== 'hidden') return
      takeEntries()
      views.check()
      for (const some of views.take()) {
        const visit: Visit = {
          'event.name': 'page.visit',
          'composition.number': composition.number,
          views: some,
        }
        navigator.sendBeacon(reportUrl, JSON.stringify(visit))
      }
    }
    addEventListener('visibilitychange', send)
    addEventListener('pagehide', send)
  }

  return (failure: CodeFailure): void => {
    // An observer is called in a later task: without its view, an error would count for the view before it, or for none.
    takeEntries()
    // Without a place to report to, the browser's own log of these is enough.
    if (reportUrl || (failure.phase !== 'error' && failure.phase !== 'rejection')) report(failure)
  }
}

/** When a file was there, also one that was requested under a new query. */
function arrivedAt(url: string): number | undefined {
  const { href } = new URL(url, location.href)
  const requests = performance.getEntriesByType('resource').filter(({ name }) => name.startsWith(href))
  // Of the type that was asked for.
  return (requests.at(-1) as PerformanceResourceTiming | undefined)?.responseEnd
}
