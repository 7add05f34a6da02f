import type { Release } from '@anniversary/shared/contract/composition'
import { compatible } from '@anniversary/shared/contract/contract-version'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { RemoteLoadError } from './load-error.ts'
import type { FileRequest } from './load-file.ts'
import { type Container, fetchContainer, fetchFiles, type ShareScope } from './release-files.ts'
import type { PageComponent, RemoteLoaderOptions } from './remote-loader.ts'

/**
 * Loads exposes of releases: fetches their files and gives the container the share scope. The federation runtime's own
 * loading is not used: it joins requests in flight and keeps what has failed.
 *
 * @param shareScope the host's; files are fetched before it is there
 * @returns throws RemoteLoadError
 */
export function exposeLoader(shareScope: Promise<ShareScope>): RemoteLoaderOptions['loadExpose'] {
  /** Containers that work or are on their way, by the release's entry: the exposes of one release share one. */
  const containers = new Map<string, Promise<Container>>()
  // Differs between page loads: a cache may hold what an earlier one got.
  const page = Date.now().toString(36)
  let freshLoads = 0

  const containerOf = (release: Release, request: FileRequest): Promise<Container> => {
    const known = containers.get(release.entry)
    if (known && !request.query) return known
    const loading = fetchContainer(release, request).then(async (container) => {
      await container.init(await shareScope)
      return container
    })
    containers.set(release.entry, loading)
    loading.catch(() => {
      if (containers.get(release.entry) === loading) containers.delete(release.entry)
    })
    return loading
  }

  return async (release, expose, { fresh, signal }) => {
    if (!compatible(HOST_CONTRACT, release.contract))
      throw new RemoteLoadError(
        'contract',
        `built for contract ${release.contract}, offered is ${HOST_CONTRACT}`,
      )
    const request = { query: fresh ? `?r=${page}-${++freshLoads}` : '', signal }
    const container = containerOf(release, request)
    // A file that hangs keeps one of few connections, so a second attempt fetches one after the other.
    if (fresh) await container
    await Promise.all([container, fetchFiles(release, expose, request)])
    return await pageOf(await container, expose)
  }
}

async function pageOf(container: Container, expose: string): Promise<PageComponent> {
  let exposed: { default?: unknown } | undefined
  try {
    const factory = await container.get(expose)
    // Awaited: a module with a top-level await gives a promise. Its shape is checked below.
    exposed = (await factory()) as typeof exposed
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : cause
    throw new RemoteLoadError('expose', `${expose}: ${why}`, { cause })
  }
  const page = exposed?.default
  // A component is a function, or what memo() and forwardRef() make of one.
  if (typeof page === 'function' || (typeof page === 'object' && page !== null && '$$typeof' in page))
    // That it takes PageProps is the contract itself.
    return page as PageComponent
  throw new RemoteLoadError('contract', `${expose} has no component as its default export`)
}
