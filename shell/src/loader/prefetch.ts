import type { Release } from '@anniversary/shared/contract/composition'
import { addressOf } from './cdn.ts'
import type { PublishedFile } from './load-file.ts'

const requested = new Set<string>()

/** Fetches a page's files without running them. Their requests have the mode of the later load, which else fetches twice. */
export function prefetchFiles({ entry, integrity, exposes }: Release, expose: string): void {
  const { js = [], css = [] } = exposes[expose] ?? {}
  for (const file of [{ url: entry, integrity }, ...js]) prefetch('script', file)
  for (const file of css) prefetch('style', file)
}

function prefetch(as: string, { url, integrity }: PublishedFile): void {
  if (requested.has(url)) return
  requested.add(url)
  const link = document.createElement('link')
  link.rel = 'preload'
  link.as = as
  link.integrity = integrity
  link.crossOrigin = 'anonymous'
  link.href = addressOf(url)
  document.head.append(link)
}
