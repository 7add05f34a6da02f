import type { Release } from '@anniversary/shared/contract/composition'
import { compatible } from '@anniversary/shared/contract/contract-version'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import type { ModuleFederation } from '@module-federation/runtime'
import { RemoteLoadError } from './load-error.ts'
import type { FileRequest } from './load-file.ts'
import { fetchContainer, fetchFiles } from './release-files.ts'
import type { PageComponent, RemoteLoaderOptions } from './remote-loader.ts'

/** The part of the host's federation instance that the loader calls. */
export type Federation = Pick<ModuleFederation, 'initRawContainer'>
type FederatedModule = ReturnType<Federation['initRawContainer']>

/**
 * Loads exposes of releases: fetches their files and hands the container to the federation runtime, which gives it the
 * share scope. The runtime's own loading is not used: it joins requests in flight and keeps what has failed.
 *
 * @param federation the host's instance; files are fetched before it is there
 * @returns throws RemoteLoadError
 */
export function exposeLoader(federation: Promise<Federation>): RemoteLoaderOptions['loadExpose'] {
  /** Containers that work or are on their way, by the release's entry: the exposes of one release share one. */
  const modules = new Map<string, Promise<FederatedModule>>()
  let freshLoads = 0

  const moduleOf = (release: Release, request: FileRequest): Promise<FederatedModule> => {
    const known = modules.get(release.entry)
    if (known && !request.query) return known
    const loading = fetchContainer(release, request).then(async (container) =>
      // A new name for every attempt: the runtime keeps what it has once registered under a name.
      // The runtime's type of a container is any module's; ours names what it calls.
      (await federation).initRawContainer(
        release.container + request.query,
        release.entry,
        container as never,
      ),
    )
    modules.set(release.entry, loading)
    loading.catch(() => {
      if (modules.get(release.entry) === loading) modules.delete(release.entry)
    })
    return loading
  }

  return async (release, expose, { fresh, signal }) => {
    if (!compatible(HOST_CONTRACT, release.contract))
      throw new RemoteLoadError(
        'contract',
        `built for contract ${release.contract}, offered is ${HOST_CONTRACT}`,
      )
    const request = { query: fresh ? `?r=${++freshLoads}` : '', signal }
    const module = moduleOf(release, request)
    // A file that hangs keeps one of few connections, so a second attempt fetches one after the other.
    if (fresh) await module
    await Promise.all([module, fetchFiles(release, expose, request)])
    return await pageOf(await module, release, expose)
  }
}

async function pageOf(module: FederatedModule, release: Release, expose: string): Promise<PageComponent> {
  let exposed: { default?: unknown } | undefined
  try {
    // Its shape is checked below.
    exposed = (await module.get(`${release.container}/${expose}`, expose)) as typeof exposed
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
