import type { Release } from '@anniversary/shared/contract/composition'
import { RemoteLoadError } from './load-error.ts'
import { type FileRequest, loadFile } from './load-file.ts'

/** The modules that the host shares, by name and version, as bundlers fill it. */
export type ShareScope = Readonly<Record<string, Readonly<Record<string, { loaded?: 1 }>>>>

/** What a remote's entry leaves behind under its global name. */
export interface Container {
  init(scope: ShareScope): unknown
  get(expose: string): Promise<() => unknown>
}

/**
 * Fetches all files of one expose, each with its integrity from the composition. The bundler's runtime in the entry then
 * finds its chunks and styles in place and requests nothing itself: one round trip instead of two, a fresh query reaches
 * every file, and each failure is known by its reason.
 *
 * @throws RemoteLoadError
 */
export async function fetchFiles(release: Release, expose: string, request: FileRequest): Promise<void> {
  const files = release.exposes[expose]
  if (!files) throw new RemoteLoadError('expose', `${expose} is not in the composition`)
  await Promise.all([
    ...files.js.map((file) => loadFile('script', file, request)),
    ...files.css.map((file) => loadFile('style', file, request)),
  ])
}

/**
 * Fetches and runs a release's entry.
 * @throws RemoteLoadError
 */
export async function fetchContainer(release: Release, request: FileRequest): Promise<Container> {
  const globals: Record<string, unknown> = globalThis as never
  // An entry declares its container with `var`, which cannot be deleted: do not take an earlier attempt's for this one's.
  if (release.container in globals) globals[release.container] = undefined
  await loadFile('entry', { url: release.entry, integrity: release.integrity }, request)
  const container = globals[release.container]
  if (isContainer(container)) return container
  throw new RemoteLoadError('entry', `ran but defined no container: ${release.entry}`)
}

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && 'init' in value && 'get' in value
