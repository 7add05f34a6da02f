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

// Differs between page loads: a cache may hold what an earlier one got.
const page = Date.now().toString(36)
let freshQueries = 0

export const freshQuery = (): string => `?r=${page}-${++freshQueries}`

/** URLs of files that this document has run or applied: no retry requests them again. */
const arrived = new Set<string>()
const inserted = new WeakSet<Node>()
export const isInserted = (element: Node): boolean => inserted.has(element)

/** Notes a style that the page's HTML holds. For the bundlers' runtimes, which look for its link, there is a disabled one. */
export function noteStyleInPage(url: string): void {
  arrived.add(url)
  const link = linkTo(url)
  link.disabled = true
  document.head.append(link)
}

function linkTo(url: string, rel: 'preload' | 'stylesheet' = 'stylesheet'): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = rel
  // Absolute, as the runtimes compare it.
  link.href = new URL(url, location.href).href
  return link
}

/** Runs a script or applies a style, if its content is the published one. @throws RemoteLoadError */
export async function loadFile(kind: FileKind, file: PublishedFile, request: FileRequest): Promise<void> {
  // An entry runs again with every attempt: only a second container evaluates a module again.
  if (arrived.has(file.url) && kind !== 'entry') return
  const query = arrived.has(file.url) ? '' : request.query
  const url = file.url + query
  // An element's request cannot be ended, and HTTP/1.1 has six connections to a host. So a retry first fetches the
  // file into the browser's cache by a request that can be ended, and the element takes it from there.
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

/** The browser keeps a broken file for a year: this answer replaces it, for the next visit. */
export function replaceInCache(url: string): void {
  fetch(url, { cache: 'reload' }).catch(() => undefined)
}

function insert(kind: FileKind, url: string, integrity: string): Promise<boolean> {
  return new Promise((resolve) => {
    const style = kind === 'style'
    const element = style ? linkTo(url) : document.createElement('script')
    inserted.add(element)
    element.integrity = integrity
    // The mode that the pages' Integrity-Policy demands, and that of its preload.
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

/** Fetches a file whole. @returns why it cannot be used; empty: at most its content is wrong */
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

const prefetched = new Set<string>()

/** Fetches a page's files without running them. Their requests have the mode of the later load, which else fetches twice. */
export function prefetchFiles({ entry, integrity, exposes }: Release, expose: string): void {
  const { js = [], css = [] } = exposes[expose] ?? {}
  for (const file of [{ url: entry, integrity }, ...js]) prefetch('script', file)
  for (const file of css) prefetch('style', file)
}

function prefetch(as: string, { url, integrity }: PublishedFile): void {
  if (prefetched.has(url)) return
  prefetched.add(url)
  const link = linkTo(url, 'preload')
  link.as = as
  link.integrity = integrity
  link.crossOrigin = 'anonymous'
  document.head.append(link)
}
