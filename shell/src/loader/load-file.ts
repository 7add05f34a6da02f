import { RemoteLoadError } from './load-error.ts'

/** A published file as the composition names it. */
export interface PublishedFile {
  readonly url: string
  readonly integrity: string
}

/** `entry` is a script too, requested without CORS on the site's own origin, as its preload is. */
export type FileKind = 'entry' | 'script' | 'style'

export interface FileRequest {
  /** Appended to the URL: a new query reaches past caches and hung requests. Empty: the plain URL. */
  readonly query: string
  /** Ends a request whose answer is no longer needed. */
  readonly signal: AbortSignal
}

/** URLs of files that this document has run or applied: no retry requests them again. */
const arrived = new Set<string>()
/** URLs requested that have neither arrived nor failed. */
const pending = new Set<string>()

/** Pending URLs of these files, with their queries. */
export const pendingOf = (urls: readonly string[]): readonly string[] =>
  [...pending].filter((url) => urls.some((file) => url.startsWith(file)))

const CONTENT: Record<FileKind, RegExp> = {
  entry: /javascript/,
  script: /javascript/,
  style: /^text\/css/,
}

/**
 * Runs a script or applies a style, if its content is the published one.
 * @throws RemoteLoadError whose phase says what was wrong
 */
export async function loadFile(kind: FileKind, file: PublishedFile, request: FileRequest): Promise<void> {
  const phase = kind === 'entry' ? 'entry' : 'chunk'
  // An entry runs again with every attempt: only a second container evaluates a module again.
  if (arrived.has(file.url) && kind !== 'entry') return
  const query = arrived.has(file.url) ? '' : request.query
  const url = file.url + query
  const fail = (why: string) => new RemoteLoadError(phase, `${why}: ${url}`)
  pending.add(url)
  try {
    // An element's request cannot be ended, and HTTP/1.1 has six connections to a host. So a retry first fetches the
    // file into the browser's cache by a request that can be ended, and the element takes it from there.
    if (query) await probe(kind, url, request.signal, fail)
    if (await insert(kind, url, file.integrity)) arrived.add(file.url)
    else {
      const reason = await reasonOf(kind, url, query ? null : request.signal, fail)
      // The browser keeps a broken file for a year: what comes now replaces it, for the next visit.
      if (!query) fetch(url, { cache: 'reload' }).catch(() => undefined)
      throw reason
    }
  } finally {
    pending.delete(url)
  }
}

export const isForeign = (url: string): boolean => new URL(url, location.href).origin !== location.origin

/** @returns whether the file was run or applied */
function insert(kind: FileKind, url: string, integrity: string): Promise<boolean> {
  return new Promise((resolve) => {
    const style = kind === 'style'
    const element = document.createElement(style ? 'link' : 'script')
    element.integrity = integrity
    // The mode of its preload: a request in another mode would not use it.
    if (kind !== 'entry' || isForeign(url)) element.crossOrigin = 'anonymous'
    const end = (loaded: boolean) => {
      if (!style || !loaded) element.remove()
      resolve(loaded)
    }
    element.onload = () => end(true)
    element.onerror = () => end(false)
    if (element instanceof HTMLLinkElement) {
      element.rel = 'stylesheet'
      // Absolute: the bundler's runtime looks for a style by its absolute URL.
      element.href = new URL(url, location.href).href
    } else element.src = url
    document.head.append(element)
  })
}

type Fail = (why: string) => RemoteLoadError

async function probe(kind: FileKind, url: string, signal: AbortSignal, fail: Fail, cache?: RequestCache) {
  const response = await fetch(url, { signal, ...(cache && { cache }) }).catch(() => {
    throw fail('unreachable')
  })
  if (!response.ok) throw fail(`HTTP ${response.status}`)
  const type = response.headers.get('content-type') ?? ''
  if (!CONTENT[kind].test(type)) throw fail(`content type ${type}`)
  await response.arrayBuffer().catch(() => {
    throw fail('broke off')
  })
}

/**
 * Finds out why an element failed, which the element does not say.
 * @param signal null where a probe has just fetched the file
 */
async function reasonOf(
  kind: FileKind,
  url: string,
  signal: AbortSignal | null,
  fail: Fail,
): Promise<RemoteLoadError> {
  if (signal) {
    const timing = performance.getEntriesByName(new URL(url, location.href).href).at(-1)
    // Not yet in TypeScript's DOM library, nor in every browser.
    const status = (timing as { responseStatus?: number } | undefined)?.responseStatus
    if (status === 0) return fail('unreachable')
    if (status !== undefined && status >= 400) return fail(`HTTP ${status}`)
    const failure = await probe(kind, url, signal, fail, 'force-cache').catch((error: unknown) => error)
    if (failure instanceof RemoteLoadError) return failure
  }
  return new RemoteLoadError('integrity', `not the published content: ${url}`)
}
