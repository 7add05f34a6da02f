import type { Release } from '@anniversary/shared/contract/composition'
import { isForeign, type PublishedFile } from './load-file.ts'

const requested = new Set<string>()

/** Fetches a page's files without running them. Their requests have the mode of the later load, which else fetches twice. */
export function prefetchFiles({ entry, integrity, exposes }: Release, expose: string): void {
  const { js = [], css = [] } = exposes[expose] ?? {}
  prefetch('script', { url: entry, integrity }, isForeign(entry))
  for (const file of js) prefetch('script', file, true)
  for (const file of css) prefetch('style', file, true)
}

function prefetch(as: string, { url, integrity }: PublishedFile, cors: boolean): void {
  if (requested.has(url)) return
  requested.add(url)
  const link = document.createElement('link')
  link.rel = 'preload'
  link.as = as
  link.integrity = integrity
  if (cors) link.crossOrigin = 'anonymous'
  link.href = url
  document.head.append(link)
}
