import { RemoteLoadError } from './load-error.ts'

/** A published file as the composition names it. */
export interface PublishedFile {
  readonly url: string
  readonly integrity: string
}

/** `entry` is a script too; it is asked for without CORS on the site's own origin, as its preload is. */
export type FileKind = 'entry' | 'script' | 'style'

export interface FileRequest {
  /** Appended to the URL: a query that no cache and no hung request knows. Empty: the plain URL. */
  readonly query: string
  /** Ends a request that nobody waits for any more. */
  readonly signal: AbortSignal
}

/** What has arrived and was run: it is not asked for again, however often a page is retried. */
const arrived = new Set<string>()
/** What was asked for and has neither arrived nor failed. */
const waiting = new Set<string>()

/** Files of the same folder as this one that were asked for and have neither arrived nor failed. */
export function waitingBeside(url: string): readonly string[] {
  const folder = url.slice(0, url.lastIndexOf('/') + 1)
  return [...waiting].filter((other) => other.startsWith(folder))
}

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
  // An entry runs anew with every attempt: a second container is the only way to a fresh module.
  if (arrived.has(file.url) && kind !== 'entry') return
  const query = arrived.has(file.url) ? '' : request.query
  const url = file.url + query
  const fail = (why: string) => new RemoteLoadError(phase, `${why}: ${url}`)
  waiting.add(url)
  try {
    // An element's request cannot be ended, and an HTTP/1.1 host has six connections for everything. So a retry comes
    // by a request that can be, into the browser's cache, and the element takes it from there.
    if (query) await probe(kind, url, request.signal, fail)
    if (await insert(kind, url, file.integrity)) arrived.add(file.url)
    else throw await explain(kind, url, query ? null : request.signal, fail)
  } finally {
    waiting.delete(url)
  }
}

const isForeign = (url: string): boolean => new URL(url, location.href).origin !== location.origin

/** @returns whether it was run or applied */
function insert(kind: FileKind, url: string, integrity: string): Promise<boolean> {
  return new Promise((resolve) => {
    const style = kind === 'style'
    const element = document.createElement(style ? 'link' : 'script')
    element.integrity = integrity
    // As its preload was: a request in another mode would not find it.
    if (kind !== 'entry' || isForeign(url)) element.crossOrigin = 'anonymous'
    const end = (loaded: boolean) => {
      if (!style || !loaded) element.remove()
      resolve(loaded)
    }
    element.onload = () => end(true)
    element.onerror = () => end(false)
    if (element instanceof HTMLLinkElement) {
      element.rel = 'stylesheet'
      // Absolute: the bundler's runtime looks whether a style is there by its absolute URL.
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
 * An element says only that it has failed.
 * @param signal null where a probe has just found the file to be there
 */
async function explain(
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
