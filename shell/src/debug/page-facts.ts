import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { shownMark } from '@anniversary/shared/contract/page-names'
import { errorMessage } from '@anniversary/shared/error-message'
import { version as react } from 'react'
import type { Loader } from '../loader/loader.ts'
import type { PageState } from '../loader/remote-loader.ts'

type FactsLoader = Pick<Loader, 'pages' | 'composition' | 'reports'>

export function readPageFacts(loader: FactsLoader) {
  const { composition, reports } = loader
  return {
    composition: composition.number,
    shell: composition.shell,
    shared: { react },
    remotes: Object.entries(composition.remotes()).map(([name, remote]) =>
      factsOf(name, remote, loader),
    ),
    failures: reports.sent.map(({ owner, phase, error, next }) => ({
      owner: `${owner.name} ${owner.version}`.trim(),
      phase,
      next: next ?? '',
      message: errorMessage(error),
    })),
  }
}

function factsOf(name: string, remote: ComposedRemote, { composition, pages }: FactsLoader) {
  const { current, previous, canary, status } = remote
  const routes = Object.entries(composition.routes.now())
  return {
    name,
    version: current.version,
    status,
    isCanary: canary?.release.entry === current.entry,
    canary: canary && `${canary.release.version} for ${canary.percent} %`,
    previous: previous?.version,
    contract: current.contract,
    integrity: current.integrity,
    shown: performance.getEntriesByName(shownMark(name))[0]?.startTime,
    pages: routes.flatMap(([path, { remote: place }]) => {
      if (place?.name !== name) return []
      const { expose } = place
      return [{ path, expose, state: stateText(pages.state(name, expose)) }]
    }),
    requests: requestsOf(name, composition),
  }
}

function stateText(state: PageState): string {
  if (state.status === 'failed') return state.reason
  if (state.status === 'ready') return `ready, ${state.release.version}`
  return state.status
}

/**
 * Requests of a remote's files, with milliseconds since the navigation. Those
 * with a query are retries.
 */
function requestsOf(remote: string, { ownerOf }: Loader['composition']) {
  const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[] // by its name
  return all
    .filter(({ name }) => ownerOf(name)?.name === remote)
    .map(({ name, startTime, responseEnd }) => ({
      url: name,
      from: Math.round(startTime),
      to: Math.round(responseEnd),
    }))
}
