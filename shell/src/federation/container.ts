import type { Release } from '@anniversary/shared/contract/composition'
import { getInstance } from '@module-federation/runtime'
import { takeEarly } from './early-release.ts'
import { type Container, fetchRelease, RemoteLoadError } from './release-files.ts'
import type { PageComponent } from './remote-loader.ts'

/** Attempts by the name under which the federation runtime knows them. */
const registered = new Map<string, () => Promise<Container>>()
let attempts = 0

/** Containers share the runtime with the host, so the host's own instance is asked for by name. */
function hostInstance() {
  const instance = getInstance(({ name }) => name === 'shell')
  if (!instance) throw new Error('The host has no federation instance: was it built by rspack.base.js?')
  return instance
}
const federation = hostInstance()

federation.registerPlugins([
  {
    name: 'entry-from-composition',
    loadEntry: ({ remoteInfo }) => {
      const fetchContainer = registered.get(remoteInfo.name)
      // The runtime's own type of a container is internal to it; ours names what the runtime calls.
      return fetchContainer ? (fetchContainer() as never) : Promise.resolve(undefined)
    },
  },
])

/**
 * Loads one expose of one release through the federation runtime.
 *
 * Every attempt is registered under a name of its own: the runtime joins loads in flight and keeps what it has loaded,
 * so only a new name is a new try.
 *
 * @param fresh adds a query to every URL, so that neither a cache nor a hung request answers
 * @throws RemoteLoadError
 */
export async function loadExpose(release: Release, expose: string, fresh: boolean): Promise<PageComponent> {
  attempts += 1
  const name = `${release.container}-${attempts}`
  const query = fresh ? `?r=${attempts}` : ''
  const early = fresh ? undefined : takeEarly(release, expose)
  registered.set(name, () => early ?? fetchRelease(release, expose, query))
  federation.registerRemotes([
    { name, entry: release.entry + query, type: 'var', entryGlobalName: release.container },
  ])
  try {
    const module = await federation.loadRemote<{ default?: unknown }>(
      `${name}/${expose.replace(/^\.\//, '')}`,
    )
    if (typeof module?.default !== 'function') {
      throw new RemoteLoadError(
        'contract',
        `${expose} of ${release.version} has no component as its default export`,
      )
    }
    // `deploy` has checked contract and exposes; that the default export takes PageProps is the contract itself.
    return module.default as PageComponent
  } catch (error) {
    if (error instanceof RemoteLoadError) throw error
    throw new RemoteLoadError('expose', `${expose} of ${release.version} did not load`, { cause: error })
  } finally {
    registered.delete(name)
  }
}
