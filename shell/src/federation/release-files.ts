import type { Release } from '@anniversary/shared/contract/composition'

/** Which part of loading a remote failed; reports and cards name it. */
export type LoadPhase = 'entry' | 'chunk' | 'style' | 'expose' | 'contract'

export class RemoteLoadError extends Error {
  override readonly name = 'RemoteLoadError'
  readonly phase: LoadPhase

  constructor(phase: LoadPhase, message: string, options?: ErrorOptions) {
    super(message, options)
    this.phase = phase
  }
}

/** What a remote's entry leaves behind under its global name. */
export interface Container {
  init(...args: unknown[]): unknown
  get(expose: string): Promise<() => unknown>
}

interface ReleaseFile {
  readonly url: string
  readonly integrity: string
}

/**
 * Fetches the entry and all files of one expose side by side, each with its integrity from the composition. The
 * bundler's runtime in the entry then finds its chunks and styles in place and asks for nothing itself: one round trip
 * instead of two, and a fresh query reaches every file.
 *
 * @param query `?r=1`: neither a cache nor a hung request answers; empty: as preloaded by the page
 * @throws RemoteLoadError
 */
export async function fetchRelease(release: Release, expose: string, query = ''): Promise<Container> {
  const { js, css } = release.exposes[expose] ?? { js: [], css: [] }
  const globals: Record<string, unknown> = globalThis as never
  // A container left by an earlier version or attempt must not answer for this one.
  globals[release.container] = undefined
  const entry = runScript({ url: release.entry, integrity: release.integrity }, query, 'entry').then(() => {
    const container = globals[release.container]
    if (isContainer(container)) return container
    throw new RemoteLoadError('entry', `${release.entry} ran but defined no container`)
  })
  await Promise.all([
    entry,
    ...js.map((file) => runScript(file, query, 'chunk')),
    ...css.map((file) => applyStyle(file, query)),
  ])
  return entry
}

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && 'init' in value && 'get' in value

function runScript({ url, integrity }: ReleaseFile, query: string, phase: LoadPhase): Promise<void> {
  const script = document.createElement('script')
  script.integrity = integrity
  // As the page's preload of the same file, or the browser would fetch it twice.
  if (phase === 'chunk' || isForeign(url)) script.crossOrigin = 'anonymous'
  script.src = url + query
  return settle(script, phase, url).finally(() => script.remove())
}

function applyStyle({ url, integrity }: ReleaseFile, query: string): Promise<void> {
  // The bundler's runtime knows a style in the page by its absolute address.
  const href = new URL(url, location.href).href
  const there = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
  if (there.some((link) => link.href === href)) return Promise.resolve()
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.integrity = integrity
  link.crossOrigin = 'anonymous'
  link.href = href + query
  return settle(link, 'style', url).catch((error: unknown) => {
    link.remove()
    throw error
  })
}

const isForeign = (url: string): boolean => new URL(url, location.href).origin !== location.origin

const settle = (element: HTMLScriptElement | HTMLLinkElement, phase: LoadPhase, url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    element.onload = () => resolve()
    element.onerror = () =>
      reject(new RemoteLoadError(phase, `${url} could not be fetched, or its integrity differs`))
    document.head.append(element)
  })
