import type { Release } from '@anniversary/shared/contract/composition'
import { FILE_LOADER, type FileLoader } from '@anniversary/shared/contract/file-loader'
import { RemoteLoadError, runAttempts } from './retry.ts'

export interface PublishedFile {
  readonly url: string
  readonly integrity: string
}

type FileKind = 'entry' | 'script' | 'style'

export interface FileRequest {
  /**
   * Appended to the URL: a new query reaches past caches and hung requests.
   * Empty: the plain URL.
   */
  readonly query: string
  readonly signal: AbortSignal
}

// Differs between page loads, because a cache may hold an earlier answer.
const page = Date.now().toString(36)
let freshQueries = 0

export const freshFileQuery = (): string => `?r=${page}-${++freshQueries}`

/**
 * Compositions name the page's own files without the origin, the bundlers'
 * runtimes with it.
 */
const absolute = (url: string): string => new URL(url, location.href).href

/**
 * URLs of scripts and styles that this document has run or applied, which no
 * retry requests again.
 */
const arrived = new Set<string>()
/** First requests under way, which a second user of the file joins. */
const underWay = new Map<string, Promise<void>>()

export const noteArrivedFile = (url: string): unknown => arrived.add(absolute(url))

/**
 * Runs a script or applies a style, if its content is the published one.
 * @throws RemoteLoadError
 */
export async function loadFile(
  kind: FileKind,
  file: PublishedFile,
  request: FileRequest,
): Promise<void> {
  const key = absolute(file.url)
  const hasArrived = arrived.has(key)
  // An entry runs in every attempt, because only a new container evaluates a
  // module again.
  if (kind === 'entry')
    return await requestFile(kind, file, hasArrived ? { ...request, query: '' } : request)
  if (hasArrived) return
  if (request.query) return await requestFile(kind, file, request)

  const loading = underWay.get(key) ?? requestFile(kind, file, request)
  underWay.set(key, loading)
  try {
    await loading
  } finally {
    underWay.delete(key)
  }
}

async function requestFile(
  kind: FileKind,
  file: PublishedFile,
  { query, signal }: FileRequest,
): Promise<void> {
  const url = file.url + query
  // An element's request cannot be aborted, and HTTP/1.1 has six connections
  // per host. So a retry first fetches the file into the browser's cache by a
  // request that can be aborted.
  let fault = query && (await faultOf(kind, url, { signal }))
  if (!fault && (await insert(kind, url, file.integrity))) {
    noteArrivedFile(file.url)
    return
  }
  if (!query) {
    fault = await faultOf(kind, url, { signal, cache: 'force-cache' })
    replaceInCache(url)
  }
  if (!fault) throw new RemoteLoadError('integrity', `not the published content: ${url}`)
  throw new RemoteLoadError(kind === 'entry' ? 'entry' : 'chunk', `${fault}: ${url}`)
}

/**
 * Replaces a broken file in the browser's cache, where it would stay for a
 * year.
 */
function replaceInCache(url: string): void {
  fetch(url, { cache: 'reload' }).catch(() => undefined)
}

function insert(kind: FileKind, url: string, integrity: string): Promise<boolean> {
  return new Promise((resolve) => {
    const isStyle = kind === 'style'
    const element = document.createElement(isStyle ? 'link' : 'script')
    element.integrity = integrity
    // Required by the pages' Integrity-Policy, and the mode of the preload.
    element.crossOrigin = 'anonymous'
    const end = (loaded: boolean) => {
      if (!isStyle || !loaded) element.remove()
      resolve(loaded)
    }
    element.onload = () => end(true)
    element.onerror = () => end(false)
    if (element instanceof HTMLScriptElement) element.src = url
    // Absolute, as runtimes of earlier builds look for it.
    else Object.assign(element, { rel: 'stylesheet', href: absolute(url) })
    document.head.append(element)
  })
}

/**
 * Fetches a whole file.
 * @returns why it cannot be used, or an empty text if at most its content is
 * wrong
 */
async function faultOf(kind: FileKind, url: string, request: RequestInit): Promise<string> {
  try {
    const response = await fetch(url, request)
    if (!response.ok) return `HTTP ${response.status}`
    const type = response.headers.get('content-type') ?? ''
    const expected = kind === 'style' ? /^text\/css/ : /javascript/
    if (!expected.test(type)) return `content type ${type}`
    await response.arrayBuffer()
    return ''
  } catch {
    return 'unreachable'
  }
}

export function prefetchFiles({ entry, integrity, exposes }: Release, expose: string): void {
  const { js = [], css = [] } = exposes[expose] ?? {}
  for (const file of [{ url: entry, integrity }, ...js, ...css])
    fetch(file.url, { integrity: file.integrity, priority: 'low' }).catch(() => undefined)
}

/**
 * Offers the loader to the bundlers' runtimes, for lazy chunks.
 * @param onFailure gets those that cannot be loaded
 */
export function offerFileLoader(onFailure: (error: unknown, url: string) => void): void {
  const globals: { [FILE_LOADER]?: FileLoader } = globalThis as never

  globals[FILE_LOADER] = async (kind, url, integrity) => {
    const attempt = (query: string) => ({
      run: (signal: AbortSignal) => loadFile(kind, { url, integrity }, { query, signal }),
    })
    try {
      await runAttempts({ attempts: [attempt(''), attempt(freshFileQuery())] })
    } catch (error) {
      onFailure(error, url)
      throw error
    }
  }
}
