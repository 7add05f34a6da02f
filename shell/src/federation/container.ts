import type { Release } from '@anniversary/shared/contract/composition'
import { loadRemote, registerPlugins, registerRemotes } from '@module-federation/runtime'
import type { PageComponent } from './remote-loader.ts'

/** Which part of loading a remote failed; reports and cards name it. */
export type LoadPhase = 'entry' | 'expose' | 'contract'

export class RemoteLoadError extends Error {
  override readonly name = 'RemoteLoadError'
  readonly phase: LoadPhase

  constructor(phase: LoadPhase, message: string, options?: ErrorOptions) {
    super(message, options)
    this.phase = phase
  }
}

interface Container {
  init(...args: unknown[]): unknown
  get(expose: string): Promise<() => unknown>
}

interface Registered {
  readonly url: string
  readonly release: Release
}

/** Attempts by the name under which the federation runtime knows them. */
const registered = new Map<string, Registered>()
let attempts = 0

registerPlugins([
  {
    name: 'entry-from-composition',
    loadEntry: ({ remoteInfo }) => {
      const attempt = registered.get(remoteInfo.name)
      // The runtime's own type of a container is internal to it; ours names what the runtime calls.
      return attempt ? (loadContainer(attempt) as never) : Promise.resolve(undefined)
    },
  },
])

/**
 * Loads one expose of one release through the federation runtime.
 *
 * Every attempt is registered under a name of its own: the runtime joins loads in flight and keeps what it has loaded,
 * so only a new name is a new try.
 *
 * @param fresh adds a query to the entry's URL, so that neither a cache nor a hung request answers
 * @throws RemoteLoadError
 */
export async function loadExpose(release: Release, expose: string, fresh: boolean): Promise<PageComponent> {
  attempts += 1
  const name = `${release.container}-${attempts}`
  const url = fresh ? `${release.entry}?r=${attempts}` : release.entry
  registered.set(name, { url, release })
  registerRemotes([{ name, entry: url, type: 'var', entryGlobalName: release.container }])
  try {
    const module = await loadRemote<{ default?: unknown }>(`${name}/${expose.replace(/^\.\//, '')}`)
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

function loadContainer({ url, release }: Registered): Promise<Container> {
  return new Promise((resolve, reject) => {
    const fail = (message: string) => reject(new RemoteLoadError('entry', `${message}: ${url}`))
    const globals: Record<string, unknown> = globalThis as never
    // A container left by an earlier version or attempt must not answer for this one.
    delete globals[release.container]

    const script = document.createElement('script')
    script.src = url
    script.integrity = release.integrity
    if (new URL(url, location.href).origin !== location.origin) script.crossOrigin = 'anonymous'
    script.onerror = () => {
      script.remove()
      fail('The entry could not be fetched, or its integrity differs')
    }
    script.onload = () => {
      script.remove()
      const container = globals[release.container]
      if (isContainer(container)) resolve(container)
      else fail('The entry ran but defined no container')
    }
    document.head.append(script)
  })
}

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && 'init' in value && 'get' in value
