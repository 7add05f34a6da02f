import type { Release } from '@anniversary/shared/contract/composition'
import { isCompatible } from '@anniversary/shared/contract/contract-version'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { type FileRequest, loadFile } from './load-file.ts'
import type { PageComponent, RemoteLoaderOptions } from './remote-loader.ts'
import { RemoteLoadError } from './retry.ts'

export type ShareScope = Readonly<Record<string, Readonly<Record<string, { loaded?: 1 }>>>>

interface Container {
  init(scope: ShareScope): unknown
  get(expose: string): Promise<() => unknown>
}

/**
 * Loads exposes of releases. Upstream's runtime would join requests in flight
 * and cache failures.
 * @param shareScope the host's; files are fetched before it resolves
 */
export function exposeLoader(shareScope: Promise<ShareScope>): RemoteLoaderOptions['loadExpose'] {
  /**
   * Containers that work or are loading, by the release's entry: the exposes of
   * a release share one.
   */
  const containers = new Map<string, Promise<Container>>()
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

  return async (release, expose, request) => {
    if (!isCompatible(HOST_CONTRACT, release.contract))
      throw new RemoteLoadError(
        'contract',
        `built for contract ${release.contract}, offered is ${HOST_CONTRACT}`,
      )
    const container = containerOf(release, request)
    // A hung request occupies one of few connections, so a second attempt
    // fetches one file after the other.
    if (request.query) await container
    await Promise.all([container, fetchFiles(release, expose, request)])
    return await pageOf(await container, expose)
  }
}

async function pageOf(container: Container, expose: string): Promise<PageComponent> {
  let exposed: { default?: unknown } | undefined
  try {
    const factory = await container.get(expose)
    // Awaited, because a module with a top-level await returns a promise. Its
    // shape is checked below.
    exposed = (await factory()) as typeof exposed
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : cause
    throw new RemoteLoadError('expose', `${expose}: ${why}`, { cause })
  }
  const page = exposed?.default
  if (
    typeof page === 'function' ||
    (typeof page === 'object' && page !== null && '$$typeof' in page)
  )
    return page as PageComponent // the contract's props
  throw new RemoteLoadError('contract', `${expose} has no component as its default export`)
}

/**
 * Fetches all files of one expose, so that the bundler's runtime in the entry
 * requests nothing itself.
 */
async function fetchFiles(release: Release, expose: string, request: FileRequest): Promise<void> {
  const files = release.exposes[expose]
  if (!files) throw new RemoteLoadError('expose', `${expose} is not in the composition`)
  await Promise.all([
    ...files.js.map((file) => loadFile('script', file, request)),
    ...files.css.map((file) => loadFile('style', file, request)),
  ])
}

async function fetchContainer(release: Release, request: FileRequest): Promise<Container> {
  const globals: Record<string, unknown> = globalThis as never
  // An entry declares its container with `var`, which cannot be deleted. This
  // tells an earlier attempt's from this one's.
  if (release.container in globals) globals[release.container] = undefined
  await loadFile('entry', { url: release.entry, integrity: release.integrity }, request)
  const container = globals[release.container]
  if (isContainer(container)) return container
  throw new RemoteLoadError('entry', `ran but defined no container: ${release.entry}`)
}

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && 'init' in value && 'get' in value
