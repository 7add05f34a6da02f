import type { ComposedRemote, Release } from '@anniversary/shared/contract/composition'
import { shownMark } from '@anniversary/shared/contract/page-names'
import { errorMessage } from '@anniversary/shared/error-message'
import { version as react } from 'react'
import type { Loader } from '../loader/loader.ts'
import type { PageState } from '../loader/remote-loader.ts'

/** Milliseconds since the navigation. */
interface Span {
  readonly from: number
  readonly to: number
}

interface PageFacts {
  readonly path: string
  readonly expose: string
  readonly state: string
  readonly files: Span | undefined
}

export interface RemoteFacts {
  readonly name: string
  readonly version: string
  readonly status: ComposedRemote['status']
  readonly isCanary: boolean
  readonly canary: string | undefined
  readonly previous: string | undefined
  readonly contract: string
  readonly integrity: string
  readonly entry: Span | undefined
  readonly shown: number | undefined
  /** Requests that repeat a failed or late one. */
  readonly retries: number
  readonly pages: readonly PageFacts[]
}

type FactsLoader = Pick<Loader, 'pages' | 'composition' | 'reports'>

/** What runs in this page: releases, states, times, and the failures that were reported, with their owners. */
export function readPageFacts({ pages, composition, reports }: FactsLoader) {
  const routes = Object.entries(composition.routes.now())
  const remotes = Object.entries(composition.remotes()).map(([name, remote]): RemoteFacts => {
    const { current, previous, canary, status } = remote
    const own = routes.flatMap(([path, { remote: place }]) =>
      place?.name === name ? [{ path, expose: place.expose }] : [],
    )
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
      pages: own.map(({ path, expose }) => ({
        path,
        expose,
        state: stateText(pages.state(name, expose)),
        files: spanOf(filesOfExpose(current, expose)),
      })),
    }
  })
  const failures = reports.sent.map(({ owner, phase, error, next }) => ({
    owner: `${owner.name} ${owner.version}`.trim(),
    phase,
    next: next ?? '',
    message: errorMessage(error),
  }))
  return {
    composition: composition.number,
    shell: composition.shell,
    shared: { react },
    remotes,
    failures,
  }
}

export type PageFactsReport = ReturnType<typeof readPageFacts>

function stateText(state: PageState): string {
  if (state.status === 'failed') return state.reason
  return state.status === 'ready' ? `ready, ${state.release.version}` : state.status
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

function spanOf(urls: readonly string[]): Span | undefined {
  const requests = requestsOf(urls)
  if (requests.length === 0) return undefined
  return {
    from: Math.round(Math.min(...requests.map(({ startTime }) => startTime))),
    to: Math.round(Math.max(...requests.map(({ responseEnd }) => responseEnd))),
  }
}
