import type { ComposedRemote, Release } from '@anniversary/shared/contract/composition'
import { shownMark } from '@anniversary/shared/contract/page-names'
import { errorMessage } from '@anniversary/shared/error-message'
import { version as react } from 'react'
import type { Loader } from '../loader/loader.ts'
import type { PageState } from '../loader/remote-loader.ts'

/** Milliseconds since the navigation; undefined: not loaded. */
type Span = { readonly from: number; readonly to: number } | undefined

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
    entry: spanOf([current.entry]),
    shown: performance.getEntriesByName(shownMark(name))[0]?.startTime,
    retries: requestsOf(filesOf(current)).filter(isRetry).length,
    pages: routes.flatMap(([path, { remote: place }]) => {
      if (place?.name !== name) return []
      const { expose } = place
      const state = stateText(pages.state(name, expose))
      return [{ path, expose, state, files: spanOf(filesOfExpose(current, expose)) }]
    }),
  }
}

function stateText(state: PageState): string {
  if (state.status === 'failed') return state.reason
  if (state.status === 'ready') return `ready, ${state.release.version}`
  return state.status
}

function filesOfExpose({ exposes }: Release, expose: string): string[] {
  const { js = [], css = [] } = exposes[expose] ?? {}
  return [...js, ...css].map(({ url }) => url)
}

const filesOf = (release: Release): string[] => [
  release.entry,
  ...Object.keys(release.exposes).flatMap((expose) => filesOfExpose(release, expose)),
]

function requestsOf(urls: readonly string[]): PerformanceResourceTiming[] {
  const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[] // by its name
  const wanted = new Set(urls.map((url) => new URL(url, location.href).href))
  return all.filter(({ name }) => wanted.has(name.replace(/\?.*/, '')))
}

const isRetry = ({ name }: PerformanceResourceTiming): boolean => name.includes('?r=')

function spanOf(urls: readonly string[]): Span {
  const requests = requestsOf(urls)
  if (requests.length === 0) return undefined
  return {
    from: Math.round(Math.min(...requests.map(({ startTime }) => startTime))),
    to: Math.round(Math.max(...requests.map(({ responseEnd }) => responseEnd))),
  }
}
