import type { Release } from '@anniversary/shared/contract/composition'
import { RemoteLoadError } from './retry.ts'

export interface PublishedFile {
  readonly url: string
  readonly integrity: string
}

type FileKind = 'entry' | 'script' | 'style'

export interface FileRequest {
  /** Appended to the URL: a new query reaches past caches and hung requests. Empty: the plain URL. */
  readonly query: string
  readonly signal: AbortSignal
}

// Differs between page loads, because a cache may hold an earlier answer.
const page = Date.now().toString(36)
let freshQueries = 0

export const freshQuery = (): string => `?r=${page}-${++freshQueries}`

/** URLs of files that this document has run or applied, which no retry requests again. */
const arrived = new Set<string>()
const inserted = new WeakSet<Node>()
export const isInserted = (element: Node): boolean => inserted.has(element)

/** Records a style that the page's HTML holds. The bundlers' runtimes look for its link, so it adds a disabled one. */
export function noteStyleInPage(url: string): void {
  arrived.add(url)
  const link = linkTo(url)
  link.disabled = true
  document.head.append(link)
}

function linkTo(url: string): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  // Absolute, as the runtimes compare URLs.
  link.href = new URL(url, location.href).href
  return link
}

/** Runs a script or applies a style, if its content is the published one. @throws RemoteLoadError */
export async function loadFile(
  kind: FileKind,
  file: PublishedFile,
  request: FileRequest,
): Promise<void> {
  // An entry runs in every attempt, because only a new container evaluates a module again.
  if (arrived.has(file.url) && kind !== 'entry') return
  const query = arrived.has(file.url) ? '' : request.query
  const url = file.url + query
  // An element's request cannot be aborted, and HTTP/1.1 has six connections per host. So a retry first fetches the file
  // into the browser's cache by a request that can be aborted.
  let fault = query && (await faultOf(kind, url, { signal: request.signal }))
  if (!fault && (await insert(kind, url, file.integrity))) {
    arrived.add(file.url)
    return
  }
  if (!query) {
    fault = await faultOf(kind, url, { signal: request.signal, cache: 'force-cache' })
    replaceInCache(url)
  }
  if (!fault) throw new RemoteLoadError('integrity', `not the published content: ${url}`)
  throw new RemoteLoadError(kind === 'entry' ? 'entry' : 'chunk', `${fault}: ${url}`)
}

/** Replaces a broken file in the browser's cache, where it would stay for a year. */
export function replaceInCache(url: string): void {
  fetch(url, { cache: 'reload' }).catch(() => undefined)
}

function insert(kind: FileKind, url: string, integrity: string): Promise<boolean> {
  return new Promise((resolve) => {
    const style = kind === 'style'
    const element = style ? linkTo(url) : document.createElement('script')
    inserted.add(element)
    element.integrity = integrity
    // Required by the pages' Integrity-Policy, and the mode of the preload.
    element.crossOrigin = 'anonymous'
    const end = (loaded: boolean) => {
      if (!style || !loaded) element.remove()
      resolve(loaded)
    }
    element.onload = () => end(true)
    element.onerror = () => end(false)
    if (element instanceof HTMLScriptElement) element.src = url
    document.head.append(element)
  })
}

/** Fetches a whole file. @returns why it cannot be used, or an empty text if at most its content is wrong */
async function faultOf(kind: FileKind, url: string, request: RequestInit): Promise<string> {
  try {
    const response = await fetch(url, request)
    if (!response.ok) return `HTTP ${response.status}`
    const type = response.headers.get('content-type') ?? ''
    if (!(kind === 'style' ? /^text\/css/ : /javascript/).test(type)) return `content type ${type}`
    await response.arrayBuffer()
    return ''
  } catch {
    return 'unreachable'
  }
}

/** Fetches a page's files into the browser's cache, without running them. */
export function prefetchFiles({ entry, integrity, exposes }: Release, expose: string): void {
  const { js = [], css = [] } = exposes[expose] ?? {}
  for (const file of [{ url: entry, integrity }, ...js, ...css])
    fetch(file.url, { integrity: file.integrity, priority: 'low' }).catch(() => undefined)
}
