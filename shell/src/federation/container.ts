import type { Release } from '@anniversary/shared/contract/composition'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { getInstance } from '@module-federation/runtime'
import { fromCore, takeEarly } from './from-core.ts'
import { RemoteLoadError } from './load-error.ts'
import type { FileRequest } from './load-file.ts'
import type { Container } from './release-files.ts'
import type { PageComponent } from './remote-loader.ts'

type FederatedModule = ReturnType<typeof federation.initRawContainer>

export interface LoadOptions {
  /** Asks for what has not arrived yet under new URLs, and evaluates the page's module anew. */
  readonly fresh: boolean
  readonly signal: AbortSignal
}

/** Containers share the runtime with the host, so the host's own instance is asked for by name. */
function hostInstance() {
  const instance = getInstance(({ name }) => name === 'shell')
  if (!instance) throw new Error('The host has no federation instance: was it built by rspack.base.js?')
  return instance
}
const federation = hostInstance()
const { fetchContainer, fetchFiles } = fromCore()

/** Containers that work or are on their way, by the release's entry: the exposes of one release share one. */
const modules = new Map<string, Promise<FederatedModule>>()
let attempts = 0

/**
 * Loads one expose of one release: fetches its files and hands the container to the federation runtime, which gives it
 * the share scope. The runtime's own loading is not used: it joins requests in flight and keeps what has failed.
 *
 * @throws RemoteLoadError
 */
export async function loadExpose(
  release: Release,
  expose: string,
  { fresh, signal }: LoadOptions,
): Promise<PageComponent> {
  if (!isOffered(release.contract))
    throw new RemoteLoadError(
      'contract',
      `built for contract ${release.contract}, offered is ${HOST_CONTRACT}`,
    )
  const request = { query: fresh ? `?r=${++attempts}` : '', signal }
  const early = fresh ? undefined : takeEarly(release, expose)
  const module = moduleOf(release, request, early)
  // A file that hangs keeps one of few connections: the second time, one after the other.
  if (fresh || early) await module
  await Promise.all([module, fetchFiles(release, expose, request)])
  return await pageOf(await module, release, expose)
}

/** Minors add, so a host serves what was built for its own minor or an older one. */
function isOffered(contract: string): boolean {
  const [hostMajor, hostMinor] = HOST_CONTRACT.split('.')
  const [major, minor] = contract.split('.')
  return major === hostMajor && Number(minor) <= Number(hostMinor)
}

function moduleOf(
  release: Release,
  request: FileRequest,
  early: Promise<Container> | undefined,
): Promise<FederatedModule> {
  const known = modules.get(release.entry)
  if (known && !request.query) return known
  const loading = (early ?? fetchContainer(release, request)).then((container) => {
    // A name of its own for every attempt: the runtime keeps what it has once heard of a name.
    // The runtime's type of a container is any module's; ours names what it calls.
    return federation.initRawContainer(release.container + request.query, release.entry, container as never)
  })
  modules.set(release.entry, loading)
  loading.catch(() => {
    if (modules.get(release.entry) === loading) modules.delete(release.entry)
  })
  return loading
}

async function pageOf(module: FederatedModule, release: Release, expose: string): Promise<PageComponent> {
  let exposed: { default?: unknown } | undefined
  try {
    // What it exports is seen below.
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
